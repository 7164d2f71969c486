/** Checks the objects of commits: agents can delete them, or replace their content. */
import { type Repository, runGitIn } from './git.ts';

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
