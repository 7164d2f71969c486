/** Builds a variant of the result in which some files have their contents from base. */

import { foldersOf } from '../../../formats/file-system/path-containment.ts';
import { withIsolatedGit } from '../../../workspace/git/isolated-git.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { treeEntries } from '../../../workspace/git/tree-entries.ts';
import type { Variant } from './variant.ts';

export interface RestoredFiles extends Variant {
  /** Paths that stay as they are in the result: links, submodules, and files that replaced folders or vice versa. */
  readonly left: readonly string[];
}

/** `commit`: the result. Files that base does not have are removed. */
export async function restoreBaseFiles(
  repository: Repository,
  { base, commit }: { readonly base: string; readonly commit: string },
  paths: readonly string[],
): Promise<RestoredFiles> {
  if (paths.length === 0) return { of: 'head', edits: new Map(), left: [] };
  const entriesOf = (tree: string) =>
    withIsolatedGit(repository, null, isolated => treeEntries(isolated.git, tree));
  const entries = [...(await entriesOf(base)), ...(await entriesOf(commit))];
  const special = entries.filter(({ kind }) => kind === 'link' || kind === 'submodule');
  // Where one commit has a file and the other has a folder, the file cannot be restored alone.
  const files = new Set(entries.map(({ path }) => path));
  const folders = new Set([...files].flatMap(foldersOf));
  const isReplaced = (path: string) => folders.has(path) || foldersOf(path).some(folder => files.has(folder));
  const left = paths.filter(path => special.some(each => each.path === path) || isReplaced(path));
  const edits = new Map<string, Buffer | null>();
  for (const path of paths) if (!left.includes(path)) edits.set(path, await readBlob(repository, base, path));
  return { of: 'head', edits, left };
}
