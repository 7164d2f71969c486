/** Pushes the branch of a result with the person's credentials and opens a pull request with `gh`. */
import { spawn } from 'node:child_process';
import { dureError } from '../errors.ts';
import { isTimedOut, killAfter } from '../process/time-limit.ts';
import { askGit, cleanEnv, git, type Repository } from './git.ts';

/** Time limit in milliseconds for the push and for `gh`, each. */
const LIMIT_MS = 120_000;

interface Proposal {
  readonly commit: string;
  readonly branch: string;
}

/** Returns the URL of the new or existing pull request. If `into` is null, the target is the remote's default branch. */
export async function openPullRequest(
  repo: Repository,
  { commit, branch }: Proposal,
  into: string | null,
  limitMs: number = LIMIT_MS,
): Promise<string> {
  const refusal = (why: string) => dureError('E_MERGE', { why, branch });
  const remote =
    (into && (await askGit(repo, ['config', `branch.${into}.remote`]))) ||
    (await git(repo, ['remote'])).split('\n')[0];
  if (!remote || remote === '.') throw refusal('the repository has no remote for a pull request.');
  if (!(await gh(repo, ['--version'], limitMs)).ok)
    throw refusal('`gh`, which opens pull requests, is not installed.');
  await git(repo, ['push', '--quiet', '--no-verify', remote, `+${commit}:refs/heads/${branch}`], { limitMs });

  const [title = branch, ...body] = (await git(repo, ['log', '-1', '--format=%B', commit])).split('\n');
  const args = ['pr', 'create', '--head', branch, '--title', title, '--body', body.join('\n').trim()];
  const answer = await gh(repo, into ? [...args, '--base', into] : args, limitMs);
  const url = /https?:\/\/\S+/.exec(answer.output)?.[0];
  if (!answer.ok && !(url && /already exists/.test(answer.output)))
    throw refusal(`gh says: ${answer.output.trim()}`);
  return url ?? answer.output.trim();
}

const gh = (repo: Repository, args: string[], limitMs: number): Promise<{ ok: boolean; output: string }> =>
  new Promise(resolve => {
    const child = spawn('gh', args, {
      cwd: repo.workTree,
      env: cleanEnv({}, repo.shell),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', error => resolve({ ok: false, output: error.message }));
    child.on('close', code => resolve({ ok: code === 0, output: output }));
    killAfter(child, limitMs, () =>
      resolve({
        ok: child.exitCode === 0,
        output: child.exitCode === null ? `${output}\n${isTimedOut(limitMs)}` : output,
      }),
    );
  });
