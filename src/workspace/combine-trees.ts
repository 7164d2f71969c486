/**
 * Creates a commit that combines one tree with some files from another, so that checks can run on the result
 * with the tests from the base.
 */
import { commitTree, storeTexts, treeWith } from './build-tree.ts';
import { type Repository, zJoin, zSplit } from './git.ts';
import { withIsolatedGit } from './isolated-git.ts';

export interface CombinedTree {
  /** The commit that provides all other files. */
  readonly of: string;
  /** The commit that provides `paths`; paths that it does not contain are removed. */
  readonly from: string;
  readonly paths: readonly string[];
  /** Files with explicit content. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The commit is on no branch, so git garbage-collects it later. */
export const combineTrees = (repo: Repository, { of, from, paths, texts }: CombinedTree): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', of]);
    await isolated.git(['update-index', '--force-remove', '-z', '--stdin'], { input: zJoin(paths) });
    const restored: string[] = [];
    const env = { GIT_LITERAL_PATHSPECS: '1' };
    for (const path of paths)
      restored.push(...zSplit(await isolated.git(['ls-tree', '-r', '-z', from, '--', path], { env })));
    return commitTree(isolated, {
      tree: await treeWith(isolated, [...restored, ...(await storeTexts(isolated, texts))]),
      parents: [],
      message: 'Dure: the result with tests and settings of its base',
      date: '1970-01-02T00:00:00Z',
    });
  });
