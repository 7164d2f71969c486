/** Compares two sealed trees. It reads only git objects, never files, and does not run configured programs. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStat, fileKindOfMode } from '../../formats/changed-file-stats.ts';
import { readStartOrEnd } from '../../formats/read-part-of-file.ts';
import { type IsolatedGit, withExactGit, withIsolatedGit } from './isolated-git.ts';
import { type Repository, zSplit } from './run-git.ts';

const between = (from: string, to: string) => [
  'diff-tree',
  '-r',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  from,
  to,
];

/** Returns the paths of files that differ, in git's order. A renamed file has two entries. */
export const changedFiles = async (repo: Repository, from: string, to: string): Promise<string[]> =>
  from === to
    ? []
    : withIsolatedGit(repo, null, async isolated =>
        zSplit(await isolated.git([...between(from, to), '--name-only', '-z'])),
      );

export const diffStat = (repo: Repository, from: string, to: string): Promise<FileStat[]> =>
  withIsolatedGit(repo, null, async isolated => {
    const entries = zSplit(await isolated.git([...between(from, to), '--raw', '--numstat', '-z']));
    if (entries.length === 0) return [];
    // First come two entries per file, with its modes and its name; then one entry per file, with its counts.
    const first = entries.findIndex((entry, i) => i % 2 === 0 && !entry.startsWith(':'));
    const big = await bigFiles(isolated, from, to);
    return entries.slice(first).map((line, i) => {
      const [added = '', removed = '', ...words] = line.split('\t');
      const [before = '', now = ''] = entries[2 * i]!.slice(1).split(' ');
      const kind = fileKindOfMode(now === '000000' ? before : now);
      const path = words.join('\t');
      const bytes = big.get(path);
      return { path, added: lines(added), removed: lines(removed), kind, ...(bytes && { bytes }) };
    });
  });
const lines = (count: string) => (count === '-' ? null : Number(count));

/**
 * Returns the ranges (first and last line) that `to` adds or changes in text files, by path. Excludes deleted files and
 * files whose type changed.
 */
export const changedLines = (
  repo: Repository,
  from: string,
  to: string,
): Promise<Record<string, [first: number, last: number][]>> =>
  withIsolatedGit(repo, null, async isolated => {
    const kept = [...between(from, to), '--diff-filter=AM'];
    const paths = zSplit(await isolated.git([...kept, '--name-only', '-z']));
    const patch = await isolated.git([...kept, '-p', '-U0', '--no-color']);
    // The patch has one part per file, in the order of the paths. No content line starts like a file header.
    const parts = patch.split(/^diff --git /m).slice(1);
    return Object.fromEntries(paths.map((path, i) => [path, addedIn(parts[i] ?? '')]));
  });

const addedIn = (part: string): [number, number][] =>
  [...part.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, first, count = '1']) =>
    Number(count) > 0 ? [[Number(first), Number(first) + Number(count) - 1] as [number, number]] : [],
  );

interface Change {
  readonly from: string;
  readonly to: string;
}

/** Whether two changes add and remove the same lines in the same context, regardless of line numbers. */
export async function isSamePatch(repo: Repository, one: Change, other: Change): Promise<boolean> {
  const [patch, same] = await Promise.all([one, other].map(change => patchWithoutPlaces(repo, change)));
  return patch === same;
}

const patchWithoutPlaces = (repo: Repository, { from, to }: Change): Promise<string> =>
  withIsolatedGit(repo, null, async isolated => {
    const { small, big } = await exactPatch(isolated, from, to);
    const patch = await isolated.git(small);
    // Content lines begin with a space, a plus or a minus, so these patterns match only headers.
    return patch.replace(/^index .*\n/gm, '').replace(/^@@ .*$/gm, '@@') + big;
  });

/** Larger files are in a patch only as hashes: git needs several times their size in memory, and fails at 2 GiB. */
const MAX_PATCHED_FILES = 100_000_000;

/**
 * Finds changed files that are too big for a patch. Returns the size of each before or after the change, whichever is
 * larger.
 */
async function bigFiles({ git }: IsolatedGit, from: string, to: string): Promise<Map<string, number>> {
  const entries = zSplit(await git([...between(from, to), '--raw', '--no-abbrev', '-z']));
  const changes = entries.flatMap((entry, i) =>
    i % 2 === 0 ? [{ path: entries[i + 1]!, ids: entry.split(' ').slice(2, 4) }] : [],
  );
  const input = changes.flatMap(({ ids }) => ids.map(id => `${id}\n`)).join('');
  const sizes = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  const sizeOf = new Map(sizes.split('\n').map(line => line.split(' ') as [id: string, size: string]));
  return new Map(
    changes
      .map(({ path, ids }) => [path, Math.max(...ids.map(id => Number(sizeOf.get(id)) || 0))] as const)
      .filter(([, size]) => size > MAX_PATCHED_FILES),
  );
}

/**
 * Returns the arguments for a patch without big files, and a separate patch with only the names and hashes of
 * the big files.
 */
async function exactPatch(
  isolated: IsolatedGit,
  from: string,
  to: string,
): Promise<{ small: string[]; big: Buffer }> {
  const paths = [...(await bigFiles(isolated, from, to)).keys()];
  const patch = [...between(from, to), '-p', '--full-index', '--no-color'];
  return {
    small: [...patch, '--binary', '--', ...paths.map(path => `:(exclude,literal)${path}`)],
    big:
      paths.length === 0
        ? Buffer.alloc(0)
        : await isolated.bytes([...patch, '--', ...paths.map(path => `:(literal)${path}`)]),
  };
}

/**
 * Writes a patch with which `git apply` turns `from` into exactly `to`, including binary files. The patch
 * contains only the hashes of big files, so their content must already be in the repository.
 */
export const writePatch = (repo: Repository, from: string, to: string, file: string): Promise<void> =>
  withIsolatedGit(repo, null, async isolated => {
    const { small, big } = await exactPatch(isolated, from, to);
    await isolated.git(small, { into: file });
    await appendFile(file, big);
  });

/**
 * Returns a patch for people: it shows renames, omits binary content and ends with the last line that fits in `limit`
 * bytes.
 */
export const readablePatch = (repo: Repository, from: string, to: string, limit: number) =>
  withIsolatedGit(repo, null, async isolated => {
    const into = join(isolated.dir, 'readable.patch');
    const renames = between(from, to).map(option => (option === '--no-renames' ? '--find-renames' : option));
    await isolated.git([...renames, '-p', '--full-index', '--no-color'], { into });
    return readStartOrEnd(into, 'start', limit);
  });

/** Returns the patch that `writePatch` writes. */
export const readPatch = (repo: Repository, from: string, to: string): Promise<Buffer> =>
  withIsolatedGit(repo, null, async isolated => {
    const { small, big } = await exactPatch(isolated, from, to);
    return Buffer.concat([await isolated.bytes(small), big]);
  });

/**
 * Writes the files of `to` that differ from `from` into `dir`, with the bytes stored in git. A link becomes a file that
 * contains its target.
 */
export const writeChanged = (repo: Repository, from: string, to: string, dir: string): Promise<void> =>
  withExactGit(repo, dir, async isolated => {
    // Links are written as files, so that none points outside the folder.
    await appendFile(join(isolated.dir, 'config'), '[core]\nsymlinks = false\n');
    await isolated.git(['read-tree', to]);
    const names = await isolated.bytes([...between(from, to), '--diff-filter=d', '--name-only', '-z']);
    await isolated.git(['checkout-index', '--force', '-z', '--stdin'], { input: names });
  });
