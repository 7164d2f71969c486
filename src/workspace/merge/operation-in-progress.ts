/**
 * Detects operations in progress in the user's checkout, such as a merge or another git process. An approval must not
 * interfere with them.
 */
import { exists } from '../../formats/file-system/path-status.ts';
import { isLockOf } from '../git/lock-user-index.ts';
import { askGit, git, type Repository, revParse } from '../git/run-git.ts';

/** Returns why an approval of the run has to wait; null if nothing is in progress. */
export async function operationInProgress(repo: Repository, run: string): Promise<string | null> {
  for (const operation of ['merge', 'cherry-pick', 'revert']) {
    const mark = `${operation.replace('-', '_').toUpperCase()}_HEAD`;
    if (await revParse(repo, mark))
      return `a ${operation} is in progress in your checkout. Finish it, then run \`dure approve\` again.`;
  }
  if (await git(repo, ['ls-files', '--unmerged']))
    return 'your checkout has unresolved conflicts. Resolve them, then run `dure approve` again.';
  const branch = await askGit(repo, ['symbolic-ref', '--quiet', 'HEAD']);
  const names = ['index', 'HEAD', ...(branch === null ? [] : [branch])];
  const paths = names.flatMap(name => ['--git-path', `${name}.lock`]);
  const locks = (await git(repo, ['rev-parse', '--path-format=absolute', ...paths])).split('\n');
  for (const lock of locks) if ((await exists(lock)) && !(await isLockOf(run, lock))) return lockedBy(lock);
  return null;
}

export const lockedBy = (lock: string): string =>
  `another git process is running in your checkout, or one was killed and left ${lock} behind. ` +
  'If no git process is running, remove the file, then run `dure approve` again.';
