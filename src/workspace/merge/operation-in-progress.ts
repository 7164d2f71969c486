/**
 * Detects operations in progress in the user's working tree, such as a merge or another git process. An approval must
 * not interfere with them.
 */
import { exists } from '../../formats/file-system/path-status.ts';
import { isLockOf } from '../git/lock-user-index.ts';
import { askGit, git, type Repository } from '../git/run-git.ts';

/** Returns why an approval of the run has to wait; null if nothing is in progress. */
export async function operationInProgress(repo: Repository, run: string): Promise<string | null> {
  const files = await gitPaths(repo, Object.keys(OPERATIONS));
  for (const [i, operation] of Object.values(OPERATIONS).entries())
    if (await exists(files[i]!))
      return `a ${operation} is in progress in your working tree. Finish it, then run \`dure approve\` again.`;
  if (await git(repo, ['ls-files', '--unmerged']))
    return 'your working tree has unresolved conflicts. Resolve them, then run `dure approve` again.';
  const branch = await askGit(repo, ['symbolic-ref', '--quiet', 'HEAD']);
  const names = ['index', 'HEAD', ...(branch === null ? [] : [branch])];
  const locks = await gitPaths(
    repo,
    names.map(name => `${name}.lock`),
  );
  for (const lock of locks) if ((await exists(lock)) && !(await isLockOf(run, lock))) return lockedBy(lock);
  return null;
}

/** Files in the git directory that exist only while an operation is in progress. `git rebase` and `git am` share one. */
const OPERATIONS = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply/applying': '`git am` session',
  'rebase-apply': 'rebase',
};

/** Absolute paths of files in the git directory of the user's working tree. */
async function gitPaths(repo: Repository, names: readonly string[]): Promise<string[]> {
  const paths = names.flatMap(name => ['--git-path', name]);
  return (await git(repo, ['rev-parse', '--path-format=absolute', ...paths])).split('\n');
}

export const lockedBy = (lock: string): string =>
  `another git process is running in your working tree, or one was killed and left ${lock} behind. ` +
  'If no git process is running, remove the file, then run `dure approve` again.';
