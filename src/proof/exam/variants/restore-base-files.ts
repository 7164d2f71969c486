/** Builds a variant of the result in which some files have their contents from base. */

import { withIsolatedGit } from '../../../workspace/git/isolated-git.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { treeEntries } from '../../../workspace/git/tree-entries.ts';
import type { Variant } from './variant.ts';

export interface RestoredFiles extends Variant {
  /** Paths of links and submodules, which stay as they are in the result. */
  readonly left: readonly string[];
}

/** `commit`: the result. Files that base does not have are removed. */
export async function restoreBaseFiles(
  repository: Repository,
  { base, commit }: { readonly base: string; readonly commit: string },
  paths: readonly string[],
): Promise<RestoredFiles> {
  if (paths.length === 0) return { of: 'head', edits: new Map(), left: [] };
  const entries = await withIsolatedGit(repository, null, async isolated => [
    ...(await treeEntries(isolated.git, base)),
    ...(await treeEntries(isolated.git, commit)),
  ]);
  const special = new Set(
    entries.flatMap(({ path, kind }) => (kind === 'link' || kind === 'submodule' ? [path] : [])),
  );
  const edits = new Map<string, Buffer | null>();
  for (const path of paths) if (!special.has(path)) edits.set(path, await readBlob(repository, base, path));
  return { of: 'head', edits, left: paths.filter(path => special.has(path)) };
}
