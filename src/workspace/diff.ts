/** What lies between two sealed trees. Reads objects only, never files, and runs nothing anyone configured. */
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type Repository, zSplit } from './git.ts';
import { inRoom } from './room.ts';

export interface FileStat {
  readonly path: string;
  /** Lines, or null for a file that is not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

const between = (from: string, to: string) => [
  'diff-tree',
  '-r',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  from,
  to,
];

/** Paths of files that differ, sorted as git does. A renamed file is two of them. */
export const changedFiles = (repo: Repository, from: string, to: string): Promise<string[]> =>
  inRoom(repo, null, async room => zSplit(await room.git([...between(from, to), '--name-only', '-z'])));

export const diffStat = (repo: Repository, from: string, to: string): Promise<FileStat[]> =>
  inRoom(repo, null, async room =>
    zSplit(await room.git([...between(from, to), '--numstat', '-z'])).map(line => {
      const [added = '', removed = '', ...path] = line.split('\t');
      return { path: path.join('\t'), added: lines(added), removed: lines(removed) };
    }),
  );
const lines = (count: string) => (count === '-' ? null : Number(count));

/**
 * Lines of text files that `to` adds or changes, by path: the first and the last of each group. Deleted files and files
 * that became something else have none.
 */
export const changedLines = (
  repo: Repository,
  from: string,
  to: string,
): Promise<Record<string, [first: number, last: number][]>> =>
  inRoom(repo, null, async room => {
    const kept = [...between(from, to), '--diff-filter=AM'];
    const paths = zSplit(await room.git([...kept, '--name-only', '-z']));
    const patch = await room.git([...kept, '-p', '-U0', '--no-color']);
    // Each file has one part, in the order of the paths; a line of a file never begins like its head.
    const parts = patch.split(/^diff --git /m).slice(1);
    return Object.fromEntries(paths.map((path, i) => [path, addedIn(parts[i] ?? '')]));
  });

const addedIn = (part: string): [number, number][] =>
  [...part.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, first, count = '1']) =>
    Number(count) > 0 ? [[Number(first), Number(first) + Number(count) - 1] as [number, number]] : [],
  );

/** Writes a patch that `git apply` turns `from` into `to` with, byte for byte, whatever the files hold and how much of it. */
export const writePatch = (repo: Repository, from: string, to: string, file: string): Promise<void> =>
  inRoom(repo, null, async room => {
    await room.git([...between(from, to), '-p', '--binary', '--full-index', '--no-color'], { into: file });
  });

/** Writes the files of `to` that differ into `dir`, each with the bytes that git keeps; a link is the text it holds. */
export const writeChanged = (repo: Repository, from: string, to: string, dir: string): Promise<void> =>
  inRoom(repo, dir, async room => {
    // Attributes of a room go before those in the tree, and nothing in a pack leads out of it.
    await writeFile(join(room.dir, 'info', 'attributes'), '* -text -ident !working-tree-encoding\n');
    await appendFile(join(room.dir, 'config'), '[core]\nsymlinks = false\n');
    await room.git(['read-tree', to]);
    const names = await room.bytes([...between(from, to), '--diff-filter=d', '--name-only', '-z']);
    await room.git(['checkout-index', '--force', '-z', '--stdin'], { input: names });
  });

/** The bytes of a file in a commit or tree, or null when it is not there. */
export async function readBlob(repo: Repository, commit: string, path: string): Promise<Buffer | null> {
  return inRoom(repo, null, async room => {
    const entry = zSplit(
      await room.git(['ls-tree', '-z', commit, '--', path], { env: { GIT_LITERAL_PATHSPECS: '1' } }),
    )[0];
    const [, type, id] = entry?.slice(0, entry.indexOf('\t')).split(' ') ?? [];
    return type === 'blob' && id ? room.bytes(['cat-file', 'blob', id]) : null;
  });
}

/** The tree of a commit, or of a tree. What a whole object id means never changes, and is asked once. */
export async function treeAt(repo: Repository, commit: string): Promise<string> {
  const known = treesOf(repo);
  const tree =
    known.get(commit) ?? (await git(repo, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]));
  if (/^[0-9a-f]{40,64}$/.test(commit)) known.set(commit, tree);
  return tree;
}

const trees = new WeakMap<Repository, Map<string, string>>();

function treesOf(repo: Repository): Map<string, string> {
  const known = trees.get(repo) ?? new Map<string, string>();
  trees.set(repo, known);
  return known;
}
