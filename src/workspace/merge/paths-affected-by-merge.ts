/** Describes what an approval changes in the user's working tree, and lists the affected paths. */
import { changedFiles } from '../git/diff-trees.ts';
import type { Repository } from '../git/run-git.ts';

export interface MergeChange {
  /**
   * Trees that the user's files may match before the merge: first that of HEAD, then that of the run's base. They
   * differ if the run includes uncommitted changes.
   */
  readonly from: readonly [string, ...string[]];
  /** Tree of the result. */
  readonly to: string;
  /** Tree of the user's index when the run began; null if it is not known. */
  readonly staged: string | null;
}

/**
 * Returns the paths at which any of the earlier trees differs from the result. A file that is the same in the base and
 * the result may differ in HEAD: the base may include a change that the user has not committed.
 */
export async function affectedPaths(
  repo: Repository,
  { from, to }: Pick<MergeChange, 'from' | 'to'>,
): Promise<string[]> {
  const changed = await Promise.all([...new Set(from)].map(tree => changedFiles(repo, tree, to)));
  return [...new Set(changed.flat())].sort();
}
