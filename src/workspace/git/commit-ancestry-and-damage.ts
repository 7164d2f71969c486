/** Checks whether a commit contains another, and whether its objects are intact: agents may delete or replace them. */
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { askGit, gitFailure, type Repository, runGitIn } from './run-git.ts';

/** Whether `of` contains `commit`. A commit contains itself. */
export const isAncestor = async (repo: Repository, commit: string, of: string): Promise<boolean> =>
  (await askGit(repo, ['merge-base', '--is-ancestor', commit, of])) !== null;

/** Whether the current branch contains a commit. */
export const isInHead = (repo: Repository, commit: string): Promise<boolean> =>
  isAncestor(repo, commit, 'HEAD').catch(unlessDiskFails(false));

/**
 * Reports which objects of these revisions (in the syntax of `git rev-list`) are missing or have content that does not
 * match their name; null if all are intact. Git reads every object. Throws `E_GIT` or `E_DISK` if git could not check
 * them.
 *
 * Git reports a forged blob, but still exits with 0, so its error messages decide: an error about an object names the
 * object. Warnings, for example about a setting that this version of git does not know, are ignored.
 */
export async function damageOfObjects(
  repo: Repository,
  revisions: readonly string[],
): Promise<string | null> {
  const args = ['rev-list', '--objects', '--verify-objects', '--quiet', ...revisions];
  const { code, stderr } = await runGitIn(repo, args);
  const errors = stderr.split('\n').filter(line => /^(error|fatal): /.test(line));
  // The path of the repository may look like the name of an object.
  if (errors.some(line => OBJECT.test(line.replaceAll(repo.gitDir, '')))) return errors.join('\n');
  if (code === 0) return null;
  throw gitFailure(args, stderr || `exit code ${code}`, repo.gitDir);
}

/** The name of an object; in the path of a loose object, its first two digits are the name of the folder. */
const OBJECT = /\b[0-9a-f]{38}(?:[0-9a-f]{2}|[0-9a-f]{24}|[0-9a-f]{26})?\b/;
