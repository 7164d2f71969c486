/** Keeps what an approval overwrites, under a ref that `dure clean` does not remove. */
import { commitInRepository } from '../git/build-trees-and-commits.ts';
import type { Repository } from '../git/run-git.ts';
import type { MergePlan } from './merge-plan-and-conflicts.ts';

export const backupRef = (runId: string): string => `refs/dure/backup/${runId}`;

/**
 * Commits, on top of an earlier commit, the files that the merge will overwrite, or returns the earlier commit if it
 * already has them. As with `git stash`, the second parent contains what was staged, if no other tree does.
 */
export async function backUp(
  repo: Repository,
  { runId, date }: { readonly runId: string; readonly date: string },
  { tree, stagedOnly }: Pick<MergePlan, 'tree' | 'stagedOnly'>,
  earlier: { readonly commit: string; readonly tree: string },
): Promise<string> {
  if (tree === earlier.tree && stagedOnly === null) return earlier.commit;
  const commit = (of: string, parents: readonly string[]) =>
    commitInRepository(repo, { tree: of, parents, message: `Dure: before ${runId} was approved`, date });
  const staged = stagedOnly === null ? [] : [await commit(stagedOnly, [earlier.commit])];
  return commit(tree, [earlier.commit, ...staged]);
}
