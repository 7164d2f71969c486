/** Reads the files of a commit from git, without checking anything out or following links. */

import { withIsolatedGit } from '../git/isolated-git.ts';
import type { Repository } from '../git/run-git.ts';
import { treeEntries } from '../git/tree-entries.ts';

export interface TreeFile {
  readonly blob: string;
  readonly isLink: boolean;
}

/** All files in the commit by path, in git's order, except submodules. */
export async function treeFiles(repo: Repository, commit: string): Promise<Map<string, TreeFile>> {
  const entries = await withIsolatedGit(repo, null, isolated => treeEntries(isolated.git, commit));
  return new Map(
    entries
      .filter(({ kind }) => kind !== 'submodule')
      .map(({ path, kind, id }) => [path, { blob: id, isLink: kind === 'link' }]),
  );
}

/** Maximum size in bytes of a file that is read. */
const MAX_BYTES = 1_000_000;

/** Content by object id. Files that are too large are left out. */
export async function readBlobs(repo: Repository, ids: readonly string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  return withIsolatedGit(repo, null, async isolated => {
    const ask = (how: string, wanted: readonly string[]) =>
      isolated.bytes(['cat-file', how], { input: wanted.map(id => `${id}\n`).join('') });
    const sizes = (await ask('--batch-check', [...new Set(ids)])).toString().trimEnd().split('\n');
    const small = sizes
      .map(line => line.split(' '))
      .filter(([, type, size]) => type === 'blob' && Number(size) <= MAX_BYTES)
      .map(([id = '', , size]) => ({ id, size: Number(size) }));
    const out = await ask(
      '--batch',
      small.map(({ id }) => id),
    );
    let at = 0;
    return new Map(
      small.map(({ id, size }) => {
        const begin = out.indexOf('\n', at) + 1;
        at = begin + size + 1;
        return [id, out.subarray(begin, begin + size)];
      }),
    );
  });
}
