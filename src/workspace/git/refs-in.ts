/** Lists refs of a repository. */
import { git, type Repository } from './run-git.ts';

/** Returns the refs with these full names; a name that ends with a slash stands for all refs below it. */
export async function refsIn(repo: Repository, names: readonly string[]): Promise<string[]> {
  const listed = await git(repo, ['for-each-ref', '--format=%(refname)', ...names]);
  return listed.split('\n').filter(ref => ref !== '');
}
