/**
 * Merges a sealed result into the user's working tree. Invariants: the merged files are exactly the sealed tree;
 * the user's files are not changed until all of them have been checked and `refs/dure/backup/<run-id>`
 * exists; a refusal restores what was written and names the files that it could not restore; the next attempt
 * finishes an interrupted one.
 *
 * The result lands as one commit by the user (commit-result.ts). With the index locked, as `git commit` does, Dure
 * writes the files, compares them with the sealed tree, runs the `pre-commit` hook, moves the branch and replaces the
 * index, in this order. So if the branch already contains the result, at most the index still has to be replaced.
 */
import { DureError, dureError } from '../../errors.ts';
import { exists } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import { isUnmoved, parentsFor, SHADOW_HEAD, stagedTreeOf } from '../base-and-snapshot-commits.ts';
import { isAncestor } from '../git/commit-ancestry-and-damage.ts';
import { changedFilters, gitPrograms } from '../git/configured-programs.ts';
import { type IndexLock, indexLock } from '../git/lock-user-index.ts';
import { git, type Repository, revParse } from '../git/run-git.ts';
import { sparseExclusions } from '../git/sparse-exclusions.ts';
import { treeAt } from '../git/tree-of-commit.ts';
import { sealRef } from '../seal/seal.ts';
import { releaseWorktree } from '../worktree.ts';
import { applyMerge } from './apply-merge-atomically.ts';
import { backUp, backupRef } from './backup-commit.ts';
import { type CommitHooks, commitHooks, type HookPolicy } from './commit-hooks.ts';
import { commitResult } from './commit-result.ts';
import { finishIndex, mergeFolder } from './merge-into-index.ts';
import { overwriteReason } from './merge-overwrite-reason.ts';
import { differencesFromResult, type MergePlan, partlyWrittenFiles } from './merge-plan-and-conflicts.ts';
import { type Branch, currentBranch, moveBranch } from './move-branch.ts';
import { lockedBy, operationInProgress } from './operation-in-progress.ts';
import type { MergeChange } from './paths-affected-by-merge.ts';
import { planOnFolder } from './plan-merge-into-folder.ts';
import { planMergeIntoWorkingTree } from './plan-merge-into-working-tree.ts';
import { openPullRequest } from './push-and-open-pull-request.ts';
import { firstPaths } from './shortened-path-list.ts';

export interface ApprovedResult extends HookPolicy {
  readonly runId: string;
  /** The sealed result. */
  readonly commit: string;
  /** The base commit of the run. */
  readonly base: string;
  /** Branch of the result (see `runBranch`). */
  readonly branch: string;
  /** Folder of the run's worktree. */
  readonly worktree: string;
  /** When the user approved, in ISO 8601. */
  readonly date: string;
  /** Message of the commit. */
  readonly message: string;
  /** The command that rebases the run onto a branch; null stands for the branch from which the run began. */
  readonly rebase: (onto: string | null) => string;
  /** Summary of the pack in Markdown, for a pull request. */
  readonly summary: string | null;
}
export type How = 'merge' | 'branch' | 'pr';
export interface Merged {
  readonly merged: boolean;
  /** The target branch of the merge or pull request. Null when there is none. */
  readonly into: string | null;
  /** The commit that the branch now points to; in a folder without a repository, the sealed commit. */
  readonly commit: string;
  readonly how: How;
  /** URL of the pull request, or of the page on which to open one. */
  readonly url: string | null;
  /** Only for pull requests: false when the branch was only pushed. */
  readonly opened?: boolean;
}

/**
 * @throws E_MERGE when the merge is impossible or would lose or mix changes. The error names the files that
 * remain changed.
 */
export async function mergeSealed(repo: Repository, result: ApprovedResult, how: How): Promise<Merged> {
  if (repo.shadow) return intoFolder(repo, result);
  const lock = await indexLock(repo, result.runId, file => refusal(result, lockedBy(file)));
  try {
    await finishInterrupted(repo, result, lock);
    await git(repo, ['update-ref', `refs/heads/${result.branch}`, result.commit]);
    const into = await currentBranch(repo);
    const merged =
      how === 'merge'
        ? await intoBranch(repo, result, lock, into)
        : await onOwnBranch(repo, result, how, into?.name ?? null);
    const at = merged.how === 'merge' ? await earlierMergeCommit(repo, result) : merged.commit;
    await releaseWorktree(repo, result.worktree, result.branch, at ?? result.commit);
    return merged;
  } finally {
    await lock.release();
  }
}

/** Replaces the index if an attempt was interrupted after it had moved the branch. */
async function finishInterrupted(repo: Repository, result: ApprovedResult, lock: IndexLock): Promise<void> {
  const commit = await earlierMergeCommit(repo, result);
  if (!commit || commit !== (await revParse(repo, 'HEAD^{commit}'))) return;
  const to = await treeAt(repo, commit);
  const folder = mergeFolder(repo, to);
  if (!(await exists(folder))) return;
  const parent = await revParse(repo, `${commit}^`);
  const headTree = parent ? await treeAt(repo, parent) : await git(repo, ['mktree']);
  const from = [headTree, await treeAt(repo, result.base)] as const;
  const staged = await stagedTreeOf(repo, result.base);
  await lock.hold(() => finishIndex(repo, { from, to, staged }));
  await removeFolder(folder);
}

/** Creates the commit on the run's branch. The files are in no working tree, so `pre-commit` does not run. */
async function onOwnBranch(
  repo: Repository,
  result: ApprovedResult,
  how: 'branch' | 'pr',
  into: string | null,
): Promise<Merged> {
  const hooks = await commitHooks(repo, result, why => refusal(result, why));
  const commit = await commitOn(repo, result, await parentsFor(repo, result.base), hooks);
  const outcome = { merged: false, into: null, commit, how, url: null };
  return how === 'branch'
    ? outcome
    : { ...outcome, into, ...(await openPullRequest(repo, { ...result, commit }, into)) };
}

const commitOn = async (
  repo: Repository,
  result: ApprovedResult,
  parents: readonly string[],
  hooks: CommitHooks,
): Promise<string> =>
  commitResult(repo, { ...result, parents, tree: await treeAt(repo, result.commit) }, hooks, why =>
    refusal(result, why),
  );

/** Returns the ref that records the commit that an attempt lands, so that the next attempt recognizes it. */
const approvedRef = ({ runId }: ApprovedResult): string => sealRef(runId, 'approved');
const earlierMergeCommit = (repo: Repository, result: ApprovedResult): Promise<string | null> =>
  revParse(repo, approvedRef(result));

async function intoBranch(
  repo: Repository,
  result: ApprovedResult,
  lock: IndexLock,
  branch: Branch | null,
): Promise<Merged> {
  if (branch === null)
    throw refusal(
      result,
      'your working tree is not on any branch (its HEAD is detached), so a merge would not be kept. ' +
        'Check out the target branch, or create only the branch with `dure approve --how branch`.',
    );
  const into = branch.name;
  const done = (commit: string): Merged => ({ merged: true, into, commit, how: 'merge', url: null });
  const head = await revParse(repo, 'HEAD^{commit}');
  for (const commit of [await earlierMergeCommit(repo, result), result.commit])
    if (head && commit && (await isAncestor(repo, commit, head))) return done(head);

  const busy = await operationInProgress(repo, result.runId);
  if (busy) throw refusal(result, busy);
  await expectFilters(repo, result);
  if (!(await isUnmoved(repo, result.base, head)))
    throw refusal(
      result,
      head
        ? `${into} is at ${head.slice(0, 10)}, but the result was tested on ${result.base.slice(0, 10)}. ` +
            `\`${result.rebase(into)}\` rebases it and tests it again; then approve it.`
        : `${into} has no commits. Create only the branch with \`dure approve --how branch\`.`,
    );

  const headTree = head ? await treeAt(repo, head) : await git(repo, ['mktree']);
  const baseTree = await treeAt(repo, result.base);
  const tree = await treeAt(repo, result.commit);
  const change: MergeChange = {
    from: [headTree, baseTree],
    to: tree,
    staged: await stagedTreeOf(repo, result.base),
  };
  const outside = await sparseExclusions(repo, change);
  if (outside.length)
    throw refusal(
      result,
      `your working tree is sparse and leaves out files that the result changes: ${firstPaths(outside)}. ` +
        'Add them with `git sparse-checkout add`, or create only the branch with `dure approve --how branch`.',
    );
  const hooks = await commitHooks(repo, result, why => refusal(result, why));
  const commit = await commitOn(repo, result, head ? [head] : [], hooks);
  const move = { runId: result.runId, lock, branch, from: head, to: commit };
  const earlier = { commit: head ?? result.base, tree: headTree };
  await lock.hold(() =>
    planMergeIntoWorkingTree(repo, change, async plan =>
      applyPlan(repo, result, plan, await backUp(repo, result, plan, earlier), async () => {
        await hooks.beforeCommit(change);
        await git(repo, ['update-ref', approvedRef(result), commit]);
        await moveBranch(repo, move, why => refusal(result, why));
      }),
    ),
  );
  await hooks.afterCommit();
  return done(commit);
}

/** Refuses if filters have changed since the run began: an agent could use one to run a program as the user. */
async function expectFilters(repo: Repository, result: ApprovedResult): Promise<void> {
  const changed = changedFilters(result.programs, await gitPrograms(repo));
  if (changed.length)
    throw refusal(
      result,
      `these git settings have changed since the run began: ${firstPaths(changed)}. They name programs that run ` +
        'when git writes files. Restore them with `git config`, or create only the branch with `dure approve --how branch`.',
    );
}

async function intoFolder(repo: Repository, result: ApprovedResult): Promise<Merged> {
  const done: Merged = { merged: true, into: null, commit: result.commit, how: 'merge', url: null };
  const head = await git(repo, ['rev-parse', SHADOW_HEAD]);
  if (await isAncestor(repo, result.commit, head)) return done;
  const [from, to] = [await treeAt(repo, result.base), await treeAt(repo, result.commit)];
  await planOnFolder(repo, { from, to }, async plan => {
    const earlier = { commit: result.base, tree: from };
    await applyPlan(repo, result, plan, await backUp(repo, result, plan, earlier), async () => {
      await git(repo, ['update-ref', SHADOW_HEAD, result.commit]);
    });
  });
  return done;
}

/** Refuses if the user's own versions would be overwritten; otherwise writes the result over the files. */
async function applyPlan(
  repo: Repository,
  result: ApprovedResult,
  plan: MergePlan,
  backup: string,
  then: () => Promise<void>,
): Promise<void> {
  const ref = backupRef(result.runId);
  const isRetry = (await revParse(repo, ref)) !== null;
  const partlyWritten = isRetry ? await partlyWrittenFiles(plan) : [];
  const overwritten = overwriteReason(repo, result, {
    ...plan,
    conflicts: plan.conflicts.filter(path => !partlyWritten.includes(path)),
  });
  if (overwritten !== null) throw refusal(result, overwritten);
  if (!isRetry) await git(repo, ['update-ref', ref, backup]);
  const failure = await applyMerge(plan, async () => {
    await expectWritten(result, plan);
    await then();
  });
  if (!failure) return;
  const { error } = failure;
  // This attempt restored the files as it found them, but an earlier, interrupted one may have written some
  // of them.
  const notRestored = isRetry
    ? [...new Set([...plan.alreadyApplied, ...partlyWritten, ...failure.notRestored])].sort()
    : failure.notRestored;
  // The files are as they were before the first attempt, so the backup ref is removed. Otherwise the next attempt
  // would treat a file that the user removes in the meantime as partly written.
  if (!notRestored.length) await git(repo, ['update-ref', '-d', ref]);
  // Errors with a `code` are expected: they come from the file system or from Dure, e.g. because git refuses
  // to overwrite a file or one of the user's filters fails.
  if (!(error instanceof Error && 'code' in error) || (!failure.notRestored.length && diskFault(error)))
    throw error;
  const why =
    (failure.notRestored.length ? null : await operationInProgress(repo, result.runId)) ?? whyOf(error);
  const left = failure.headMoved ? leftAsTheyAre(notRestored) : unfinished(notRestored, result);
  throw refusal(result, notRestored.length ? `${why}\n${left}` : why);
}

async function expectWritten(result: ApprovedResult, plan: MergePlan): Promise<void> {
  const differences = await differencesFromResult(plan);
  if (differences.length)
    throw refusal(
      result,
      `these files differ from the result although git has just written them: ${firstPaths(differences)}. ` +
        'Either another program changed them at that moment (its version was kept), ' +
        'or one of your git filters does not restore the content that it converts. Run `git status` to see them, then run `dure approve` again.',
    );
}

const unfinished = (paths: readonly string[], { runId }: ApprovedResult): string =>
  `These files were written and could not be restored: ${firstPaths(paths)}. ` +
  `Run \`dure approve\` again to finish the merge, or \`git restore --source=${backupRef(runId)} --staged --worktree\` ` +
  'with their names to get your versions back.';

const leftAsTheyAre = (paths: readonly string[]): string =>
  `These files were written and were left as they are, because HEAD has moved: ${firstPaths(paths)}. ` +
  'Run `git status` to see them.';

/** Returns the reason for a refusal, without the surrounding message. */
export const whyOf = (error: Error): string =>
  error instanceof DureError && error.code === 'E_MERGE'
    ? (error.context as { why: string }).why
    : error.message;

const refusal = (result: ApprovedResult, why: string) => dureError('E_MERGE', { why, branch: result.branch });
