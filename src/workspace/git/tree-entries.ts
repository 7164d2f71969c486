/** Lists the files of a tree recursively. */
import { type FileKind, fileKindOfMode } from '../../formats/changed-file-stats.ts';
import { entryOf, git, type Repository, zSplit } from './run-git.ts';

export interface TreeEntry {
  /** Relative to the top of the tree. */
  readonly path: string;
  /** Null for a regular file. */
  readonly kind: FileKind | null;
  /** The blob; for a submodule, its commit. */
  readonly id: string;
}

/** Runs git in a repository, directly or isolated (see isolated-git.ts). */
type RunGit = (args: readonly string[]) => Promise<string>;

/** Returns the entries of a tree in git's order, including submodules. */
export const treeEntries = async (run: RunGit, treeish: string): Promise<TreeEntry[]> =>
  (await printedEntries(run, treeish)).map(printed => {
    const { fields, path } = entryOf(printed);
    const [mode = '', , id = ''] = fields;
    return { path, kind: fileKindOfMode(mode), id };
  });

/** Returns the entries of a tree as `git ls-tree` prints them and `git update-index --index-info` reads them. */
export const printedEntries = async (run: RunGit, treeish: string): Promise<string[]> =>
  zSplit(await run(['ls-tree', '-r', '-z', '--full-tree', treeish]));

/** Returns the paths of all files in a tree. */
export const filesIn = async (repo: Repository, treeish: string): Promise<string[]> =>
  (await treeEntries(args => git(repo, args), treeish)).map(({ path }) => path);
