/** Proposes a result to others: pushes its branch with the person's own rights and opens a pull request with `gh`. */
import { spawn } from 'node:child_process';
import { dureError } from '../errors.ts';
import { askGit, cleanEnv, git, type Repository } from './git.ts';
import { endAfter, tooLong } from './limit.ts';

/** Milliseconds that a push, and then `gh`, may take. */
const LIMIT_MS = 120_000;

interface Proposal {
  readonly commit: string;
  readonly branch: string;
}

/** Returns the address of the pull request, also when it was opened before. `into` null: the remote's default branch. */
export async function openPullRequest(
  repo: Repository,
  { commit, branch }: Proposal,
  into: string | null,
  limitMs: number = LIMIT_MS,
): Promise<string> {
  const no = (why: string) => dureError('E_MERGE', { why, branch });
  const remote =
    (into && (await askGit(repo, ['config', `branch.${into}.remote`]))) ||
    (await git(repo, ['remote'])).split('\n')[0];
  if (!remote || remote === '.') throw no('the repository has no remote to open a pull request at.');
  if (!(await gh(repo, ['--version'], limitMs)).ok)
    throw no('`gh`, which opens pull requests, is not installed.');
  await git(repo, ['push', '--quiet', '--no-verify', remote, `+${commit}:refs/heads/${branch}`], { limitMs });

  const [title = branch, ...body] = (await git(repo, ['log', '-1', '--format=%B', commit])).split('\n');
  const asked = ['pr', 'create', '--head', branch, '--title', title, '--body', body.join('\n').trim()];
  const answer = await gh(repo, into ? [...asked, '--base', into] : asked, limitMs);
  const url = /https?:\/\/\S+/.exec(answer.said)?.[0];
  if (!answer.ok && !(url && /already exists/.test(answer.said))) throw no(`gh says: ${answer.said.trim()}`);
  return url ?? answer.said.trim();
}

const gh = (repo: Repository, args: string[], limitMs: number): Promise<{ ok: boolean; said: string }> =>
  new Promise(resolve => {
    const child = spawn('gh', args, {
      cwd: repo.workTree,
      env: cleanEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let said = '';
    child.stdout.on('data', chunk => (said += chunk));
    child.stderr.on('data', chunk => (said += chunk));
    child.on('error', error => resolve({ ok: false, said: error.message }));
    child.on('close', code => resolve({ ok: code === 0, said }));
    endAfter(child, limitMs, () =>
      resolve({
        ok: child.exitCode === 0,
        said: child.exitCode === null ? `${said}\n${tooLong(limitMs)}` : said,
      }),
    );
  });
