/** Lists the files of a tree, in all of its folders. */
import { type FileKind, fileKindOfMode } from '../formats/git-paths-and-modes.ts';
import { entryOf, zSplit } from './git.ts';

export interface TreeEntry {
  /** From the top of the tree. */
  readonly path: string;
  /** Null for an ordinary file. */
  readonly kind: FileKind | null;
  /** The blob; for a submodule, its commit. */
  readonly id: string;
}

/** In git's order, with submodules. `run` runs git in the repository, or in an isolated one. */
export async function treeEntries(
  run: (args: readonly string[]) => Promise<string>,
  treeish: string,
): Promise<TreeEntry[]> {
  return zSplit(await run(['ls-tree', '-r', '-z', '--full-tree', treeish])).map(printed => {
    const { fields, path } = entryOf(printed);
    const [mode = '', , id = ''] = fields;
    return { path, kind: fileKindOfMode(mode), id };
  });
}
