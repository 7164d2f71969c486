/** Explains why a planned merge is refused. */
import { DURE_DIR } from '../../formats/layout.ts';
import type { Repository } from '../git/run-git.ts';
import type { MergePlan } from './merge-plan-and-conflicts.ts';
import { firstPaths } from './shortened-path-list.ts';

/** Excludes Dure's own folder from the stash, even if it is untracked: runs need the configuration in it. */
const stashAdvice = (prefix: string): string =>
  `Stash them with \`git stash --include-untracked -- ':/!${prefix}${DURE_DIR}'\`, then run \`dure approve\` again.`;

/** Explains which of the user's versions the merge would overwrite; null if it would overwrite none. */
export function overwriteReason(
  { shadow, prefix }: Pick<Repository, 'shadow' | 'prefix'>,
  { rebase }: { rebase(onto: string | null): string },
  plan: Pick<MergePlan, 'conflicts' | 'stagedConflicts' | 'submoduleConflicts'>,
): string | null {
  const { conflicts, stagedConflicts, submoduleConflicts } = plan;
  const others = conflicts.filter(path => !submoduleConflicts.includes(path));
  if (others.length)
    return `your versions of these files differ from those that the run started from: ${firstPaths(others)}. ${
      shadow
        ? `Run \`${rebase(null)}\` to apply the result to your versions and test it again; then approve it.`
        : stashAdvice(prefix)
    }`;
  if (stagedConflicts.length)
    return `the staged versions of these files differ from those that the run started from: ${firstPaths(stagedConflicts)}. ${stashAdvice(prefix)}`;
  if (submoduleConflicts.length)
    return (
      `these submodules are not at the commits that the result specifies: ${firstPaths(submoduleConflicts)}. ` +
      'Check out those commits in them, or create only the branch with `dure approve --how branch`.'
    );
  return null;
}
