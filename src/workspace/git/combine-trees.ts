/**
 * Combines one tree with some files from another. Checks run on such a tree (the result with the tests of base), and a
 * merge compares the user's files with such a tree (base with some files of HEAD).
 */
import { commitTree, storeTexts, treeWith } from './build-trees-and-commits.ts';
import { type IsolatedGit, withIsolatedGit } from './isolated-git.ts';
import { entryOf, type Repository, zJoin } from './run-git.ts';
import { printedEntries } from './tree-entries.ts';

export interface TreeWithFiles {
  /** The commit or tree that provides all files except `paths`. */
  readonly of: string;
  /** The commit or tree that provides `paths`; paths that it does not contain are removed. */
  readonly from: string;
  /** Paths of files and submodules. */
  readonly paths: readonly string[];
}

export interface CombinedTree extends TreeWithFiles {
  /** Texts of files to write into the tree, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns the tree of `of` with the files at `paths` as they are in `from`. */
export const treeWithFilesOf = (repo: Repository, combined: TreeWithFiles): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => treeWith(isolated, await replaced(isolated, combined)));

/** Returns a commit of the combined tree. It is on no branch, so git garbage-collects it later. */
export const combineTrees = (repo: Repository, { texts, ...combined }: CombinedTree): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    const entries = await replaced(isolated, combined);
    return commitTree(isolated, {
      tree: await treeWith(isolated, [...entries, ...(await storeTexts(isolated, texts))]),
      parents: [],
      message: 'Dure: the result with tests and settings of its base',
      date: '1970-01-02T00:00:00Z',
    });
  });

/** Reads `of` into the index without `paths`, and returns the entries that `from` has at these paths. */
async function replaced({ git }: IsolatedGit, { of, from, paths }: TreeWithFiles): Promise<string[]> {
  await git(['read-tree', of]);
  // Removed first, because a file may have become a folder.
  await git(['update-index', '--force-remove', '-z', '--stdin'], { input: zJoin(paths) });
  const selected = new Set(paths);
  return (await printedEntries(git, from)).filter(entry => selected.has(entryOf(entry).path));
}
