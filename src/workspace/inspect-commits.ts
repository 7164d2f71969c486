/** Whether a commit contains another, and whether its objects are whole: agents can delete or replace them. */
import { askGit, type Repository, runGitIn } from './git.ts';

/** True for a commit and itself. */
export const isAncestor = async (repo: Repository, commit: string, of: string): Promise<boolean> =>
  (await askGit(repo, ['merge-base', '--is-ancestor', commit, of])) !== null;

/** Whether the current branch contains a commit. */
export const isInHead = (repo: Repository, commit: string): Promise<boolean> =>
  isAncestor(repo, commit, 'HEAD').catch(() => false);

/**
 * Why an object of these revisions (as for `git rev-list`) is missing, or has content that does not match its name;
 * null if all are whole. Git reads every object. It reports a forged blob, but still exits with 0.
 */
export async function damageOfObjects(
  repo: Repository,
  revisions: readonly string[],
): Promise<string | null> {
  const args = ['rev-list', '--objects', '--verify-objects', '--quiet', ...revisions];
  const { code, stderr } = await runGitIn(repo, args);
  return code === 0 && stderr === '' ? null : stderr || 'objects are missing';
}
