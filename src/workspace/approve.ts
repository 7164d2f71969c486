/**
 * Merges a sealed result into the person's checkout. Invariants: the merged files are exactly the sealed tree; the person's
 * files are not changed before all of them were checked and `refs/dure/backup/<run-id>` exists; a refusal restores what was
 * written and names what it could not restore; the next attempt finishes an interrupted one.
 *
 * The order is files, index, branch. The branch moves last, so a branch that contains the result means that all is done.
 */
import { existsSync } from 'node:fs';
import { dureError } from '../errors.ts';
import { SHADOW_HEAD, SNAPSHOT } from './base.ts';
import { treeAt } from './diff.ts';
import { askGit, dated, git, type Repository, signedByDure } from './git.ts';
import { type MergePlan, partlyWrittenFiles, planOnCheckout, planOnFolder } from './merge-plan.ts';
import { openPullRequest } from './pull-request.ts';
import { sparseExclusions } from './sparse-checkout.ts';

export interface ApprovedResult {
  readonly runId: string;
  /** The sealed result. */
  readonly commit: string;
  /** The base commit of the run. */
  readonly base: string;
  /** Branch of the result, see `runBranch`. */
  readonly branch: string;
  /** Date of the merge commit, if one is needed, in ISO 8601. */
  readonly date: string;
}
export type How = 'merge' | 'branch' | 'pr';
export interface Merged {
  readonly merged: boolean;
  /** The target branch of the merge or pull request. Null when there is none. */
  readonly into: string | null;
  /** The commit at which that branch is now, or the sealed commit. */
  readonly commit: string;
  readonly how: How;
  /** URL of the pull request. */
  readonly url: string | null;
}

/** @throws E_MERGE when the merge is impossible or would lose or mix changes. It names files that stay changed. */
export async function mergeSealed(repo: Repository, result: ApprovedResult, how: How): Promise<Merged> {
  if (repo.shadow) return intoFolder(repo, result);
  await git(repo, ['update-ref', `refs/heads/${result.branch}`, result.commit]);
  const into = await askGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const left = { merged: false, into: null, commit: result.commit, how: 'branch', url: null } as const;
  if (how === 'pr') return { ...left, into, how, url: await openPullRequest(repo, result, into) };
  if (how === 'branch') return left;
  if (into === null)
    throw refusal(
      result,
      'your checkout is on no branch (its HEAD is detached), so a merge would not be kept. ' +
        'Check out the target branch, or create only the branch of the result with `dure approve --how branch`.',
    );
  return intoBranch(repo, result, into);
}

async function intoBranch(repo: Repository, result: ApprovedResult, into: string): Promise<Merged> {
  const done = (commit: string): Merged => ({ merged: true, into, commit, how: 'merge', url: null });
  const head = await askGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head && (await askGit(repo, ['merge-base', '--is-ancestor', result.commit, head])) !== null)
    return done(head);

  const busy = await operationInProgress(repo);
  if (busy) throw refusal(result, busy);
  const position = await positionOfHead(repo, result, head);
  if (position === 'moved')
    throw refusal(
      result,
      `${into} is ${head ? `at ${head.slice(0, 10)}` : 'empty'}, and the run began at ${result.base.slice(0, 10)}. ` +
        'The tests did not run on a merge of both.',
    );

  const headTree = head ? await treeAt(repo, head) : await git(repo, ['mktree']);
  const baseTree = await treeAt(repo, result.base);
  const tree = await treeAt(repo, result.commit);
  const outside = await sparseExclusions(repo, baseTree, tree);
  if (outside.length)
    throw refusal(
      result,
      `your checkout is sparse and leaves out files that the result changes: ${some(outside)}. ` +
        'Add them with `git sparse-checkout add`, or create only the branch with `dure approve --how branch`.',
    );
  const commit = position === 'at-base' ? result.commit : await mergeCommit(repo, result, head!);
  await planOnCheckout(repo, { from: [headTree, baseTree], to: tree }, plan =>
    land(repo, result, plan, head ?? result.base, () => moveHead(repo, result, head, commit)),
  );
  return done(commit);
}

async function moveHead(
  repo: Repository,
  { runId }: ApprovedResult,
  from: string | null,
  to: string,
): Promise<void> {
  try {
    await git(repo, ['update-ref', '-m', `dure: approve ${runId}`, 'HEAD', to, from ?? '']);
  } catch (error) {
    // A git process that was killed may have updated the ref nevertheless.
    if ((await askGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD'])) !== to) throw error;
  }
}

async function operationInProgress(repo: Repository): Promise<string | null> {
  for (const doing of ['merge', 'cherry-pick', 'revert']) {
    const mark = `${doing.replace('-', '_').toUpperCase()}_HEAD`;
    if (await askGit(repo, ['rev-parse', '--verify', '--quiet', mark]))
      return `a ${doing} is in progress in your checkout.`;
  }
  if (await git(repo, ['ls-files', '--unmerged'])) return 'your checkout has unresolved conflicts.';
  const lock = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']);
  return existsSync(lock) ? `another git is at work in your checkout, or was killed and left ${lock}.` : null;
}

/** `at-base`: the result descends from HEAD. `same-files`: HEAD is another commit with the same files as the base. */
async function positionOfHead(
  repo: Repository,
  { base }: ApprovedResult,
  head: string | null,
): Promise<'at-base' | 'same-files' | 'moved'> {
  if (head === base) return 'at-base';
  const [parent = '', subject = ''] = (await git(repo, ['log', '-1', '--format=%P%n%s', base])).split('\n');
  const files = await treeAt(repo, base);
  if (head === null) return parent === '' && files === (await git(repo, ['mktree'])) ? 'at-base' : 'moved';
  if (parent === head && subject === SNAPSHOT) return 'at-base';
  return (await treeAt(repo, head)) === files ? 'same-files' : 'moved';
}

/** Creates a merge commit of HEAD and the result with the files of the result, in the person's name if git knows it. */
async function mergeCommit(
  repo: Repository,
  { commit, runId, date }: ApprovedResult,
  head: string,
): Promise<string> {
  const known =
    (await askGit(repo, ['config', 'user.name'])) && (await askGit(repo, ['config', 'user.email']));
  const message = `Merge the result of ${runId}`;
  return git(repo, ['commit-tree', await treeAt(repo, commit), '-p', head, '-p', commit, '-m', message], {
    env: known ? dated(date) : signedByDure(date),
  });
}

async function intoFolder(repo: Repository, result: ApprovedResult): Promise<Merged> {
  const done: Merged = { merged: true, into: null, commit: result.commit, how: 'merge', url: null };
  const head = await git(repo, ['rev-parse', SHADOW_HEAD]);
  if ((await askGit(repo, ['merge-base', '--is-ancestor', result.commit, head])) !== null) return done;
  const [from, to] = [await treeAt(repo, result.base), await treeAt(repo, result.commit)];
  await planOnFolder(repo, { from: [from], to }, async plan => {
    const backup = [
      'commit-tree',
      plan.tree,
      '-p',
      result.base,
      '-m',
      `Dure: before ${result.runId} was approved`,
    ];
    const kept = await git(repo, backup, { env: signedByDure(result.date) });
    await land(repo, result, plan, kept, async () => {
      await git(repo, ['update-ref', SHADOW_HEAD, result.commit]);
    });
  });
  return done;
}

/** Writes the result over files that equal the base or the result. */
async function land(
  repo: Repository,
  result: ApprovedResult,
  plan: MergePlan,
  backup: string,
  then: () => Promise<void>,
): Promise<void> {
  const ref = `refs/dure/backup/${result.runId}`;
  const isRetry = (await askGit(repo, ['rev-parse', '--verify', '--quiet', ref])) !== null;
  const partlyWritten = isRetry ? await partlyWrittenFiles(plan) : [];
  const changed = plan.conflicts.filter(path => !partlyWritten.includes(path));
  if (changed.length)
    throw refusal(result, `these files of yours have changed since the run began: ${some(changed)}.`);
  if (!isRetry) await git(repo, ['update-ref', ref, backup]);
  const failure = await plan.put(then);
  if (!failure) return;
  const { error, left } = failure;
  // Everything was restored. Without the backup ref, a file the person removes later does not count as partly written.
  if (!isRetry && !left.length) await git(repo, ['update-ref', '-d', ref, backup]);
  // Git checks again before it writes, and the person's filters may fail. File system and Dure errors have a code.
  if (!(error instanceof Error && 'code' in error)) throw error;
  const why = (left.length ? null : await operationInProgress(repo)) ?? error.message;
  throw refusal(result, left.length ? `${why}\n${unfinished(left)}` : why);
}

const unfinished = (left: readonly string[]): string =>
  `These files were written and could not be put back: ${some(left)}. ` +
  'Run `dure approve` again to finish the merge, or `git restore` with their names to get your versions back.';

const some = (paths: readonly string[]): string =>
  paths.slice(0, 10).join(', ') + (paths.length > 10 ? `, and ${paths.length - 10} more` : '');

const refusal = (result: ApprovedResult, why: string) => dureError('E_MERGE', { why, branch: result.branch });
