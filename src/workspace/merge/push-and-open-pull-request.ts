/**
 * Pushes a result's branch with the user's credentials, and opens a pull request with `gh` or returns the URL of
 * the page on which to open one. Other people's commits on that branch are never overwritten.
 */
import { DureError, dureError } from '../../errors.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { runProgram } from '../../process/run-program.ts';
import { askGit, cleanEnv, git, type Repository } from '../git/run-git.ts';
import { sealRef } from '../seal/seal.ts';
import { newPullRequestUrl } from './pull-request-url.ts';

/** Time limit in milliseconds, for the push and for `gh` separately. */
const LIMIT_MS = 120_000;
/** The longest body that GitHub accepts, in characters, minus a margin. */
const BODY = 60_000;

interface Proposal {
  readonly runId: string;
  readonly commit: string;
  readonly branch: string;
  /** Markdown for the body; if null, the body of the commit message is used. */
  readonly summary: string | null;
}

export interface PullRequest {
  /** URL of the pull request, or of the page on which the user can open one. Null if that page is unknown. */
  readonly url: string | null;
  /** False when the branch was only pushed. */
  readonly opened: boolean;
}

/**
 * Pushes the branch and opens a pull request, or finds the existing one. If `into` is null, the target is the
 * remote's default branch.
 */
export async function openPullRequest(
  repo: Repository,
  { runId, commit, branch, summary }: Proposal,
  into: string | null,
  limitMs: number = LIMIT_MS,
): Promise<PullRequest> {
  const refusal = (why: string) => dureError('E_MERGE', { why, branch });
  const remote =
    (into && (await askGit(repo, ['config', `branch.${into}.remote`]))) ||
    (await git(repo, ['remote'])).split('\n')[0];
  if (!remote || remote === '.')
    throw refusal(
      'the repository has no remote for a pull request. Add one with `git remote add origin URL`, ' +
        'or create only the branch with `dure approve --how branch`.',
    );
  if (!(await push(repo, remote, { commit, branch, pushed: sealRef(runId, 'pushed') }, limitMs)))
    throw refusal(
      `the branch ${branch} on ${remote} has commits that this run did not push, so it was left as it is. ` +
        `Merge it there, or push it under another name and run \`git push ${remote} --delete ${branch}\`; ` +
        'then run `dure approve --how pr` again.',
    );
  const page = newPullRequestUrl(await git(repo, ['remote', 'get-url', remote]), branch, into);
  if (!(await gh(repo, ['--version'], limitMs)).ok) return { url: page, opened: false };

  const message = withoutSecrets(await git(repo, ['log', '-1', '--format=%B', commit]));
  const [title = branch, ...rest] = message.split('\n');
  const body = withoutSecrets(summary ?? rest.join('\n'))
    .trim()
    .slice(0, BODY);
  // Other users of the machine can read arguments, so the body is passed on stdin.
  const args = ['pr', 'create', '--head', branch, '--title', title, '--body-file', '-'];
  const answer = await gh(repo, into ? [...args, '--base', into] : args, limitMs, body);
  const url = /https?:\/\/\S+/.exec(answer.output)?.[0];
  if (!answer.ok && !(url && /already exists/.test(answer.output)))
    throw refusal(
      `gh says: ${answer.output}\nThe branch ${branch} was pushed to ${remote}. ` +
        `${page ? `Open ${page}` : 'Open a pull request in a browser'}, or approve again once gh works.`,
    );
  return { url: url ?? answer.output, opened: true };
}

/**
 * Creates the branch on the remote, or replaces it if it is at a commit that an earlier attempt pushed. Otherwise
 * returns false. A commit is recorded below `pushed` before it is pushed, so an interruption does no harm.
 */
async function push(
  repo: Repository,
  remote: string,
  { commit, branch, pushed }: { readonly commit: string; readonly branch: string; readonly pushed: string },
  limitMs: number,
): Promise<boolean> {
  const listed = await git(repo, ['for-each-ref', '--format=%(objectname)', `${pushed}/`]);
  await git(repo, ['update-ref', `${pushed}/${commit}`, commit]);
  // Git takes an empty value to mean that the branch must not exist.
  for (const expected of new Set([...listed.split('\n'), ''])) {
    const lease = `--force-with-lease=refs/heads/${branch}:${expected}`;
    const command = ['push', '--quiet', '--no-verify', lease, remote, `${commit}:refs/heads/${branch}`];
    try {
      await git(repo, command, { limitMs });
      return true;
    } catch (error) {
      if (!(error instanceof DureError && error.message.includes('(stale info)'))) throw error;
    }
  }
  return false;
}

async function gh(
  repo: Repository,
  args: readonly string[],
  limitMs: number,
  input = '',
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const options = { cwd: repo.workTree, env: cleanEnv({}, repo.shell), limitMs, input };
  try {
    const { code, stdout, stderr } = await runProgram('gh', args, options);
    return { ok: code === 0, output: `${stdout}\n${stderr}`.trim() };
  } catch (error) {
    return { ok: false, output: (error as Error).message };
  }
}
