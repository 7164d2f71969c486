/**
 * Finds files excluded by a sparse checkout. Git itself evaluates the user's patterns, in an empty temporary folder.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { affectedPaths, type MergeChange } from '../merge/paths-affected-by-merge.ts';
import { askGit, git, type Repository, zSplit } from './run-git.ts';

/** Returns the files that the merge affects and that the sparse checkout excludes. */
export async function sparseExclusions(repo: Repository, change: MergeChange): Promise<string[]> {
  const sparse = await askGit(repo, ['config', '--type=bool', '--get', 'core.sparseCheckout']);
  if (sparse !== 'true') return [];
  const outside = new Set<string>();
  for (const tree of new Set([...change.from, change.to]))
    for (const path of await skippedOf(repo, tree)) outside.add(path);
  return (await affectedPaths(repo, change)).filter(path => outside.has(path));
}

const skippedOf = (repo: Repository, tree: string): Promise<string[]> =>
  withTemporaryFolder('dure-sparse-', async dir => {
    const empty = join(dir, 'empty');
    await mkdir(empty);
    const place = { ...repo, workTree: empty };
    const at = { env: { GIT_INDEX_FILE: join(dir, 'index') } };
    await git(place, ['read-tree', tree], at);
    await git(place, ['-c', 'index.sparse=false', 'sparse-checkout', 'reapply'], at);
    const listed = zSplit(await git(place, ['ls-files', '-t', '-z'], at));
    return listed.filter(entry => entry.startsWith('S ')).map(entry => entry.slice(2));
  });
