/** Reads the files of a commit from git, without checking anything out or following links. */
import { withIsolatedGit } from './isolated-git.ts';
import { readBlobs } from './read-blobs.ts';
import type { Repository } from './run-git.ts';
import { treeEntries } from './tree-entries.ts';

export interface TreeFile {
  readonly blob: string;
  readonly isLink: boolean;
}

/** Returns all files in the commit except submodules, by path, in git's order. */
export async function treeFiles(repo: Repository, commit: string): Promise<Map<string, TreeFile>> {
  const entries = await withIsolatedGit(repo, null, isolated => treeEntries(isolated.git, commit));
  return new Map(
    entries
      .filter(({ kind }) => kind !== 'submodule')
      .map(({ path, kind, id }) => [path, { blob: id, isLink: kind === 'link' }]),
  );
}

/** Maximum size in bytes of a file that is read; larger ones are left out. */
const MAX_BYTES = 1_000_000;

export const readTreeFiles = (repo: Repository, ids: readonly string[]): Promise<Map<string, Buffer>> =>
  readBlobs(repo, ids, MAX_BYTES);
