/** What lies between two sealed trees. Reads objects only, never files, and runs nothing anyone configured. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type Repository, zSplit } from './git.ts';
import { inRoom, type Room } from './room.ts';

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

/** A patch that `git apply` turns `from` into `to` with, byte for byte, whatever the files hold. */
export async function diffPatch(repo: Repository, from: string, to: string): Promise<string> {
  return inRoom(repo, null, async room => {
    const whole = await patch(room, from, to, []);
    if (whole !== null) return whole;
    // Some file is text in another encoding, which a string cannot hold: it goes as binary, the others stay readable.
    const parts: string[] = [];
    for (const path of zSplit(await room.git([...between(from, to), '--name-only', '-z'])))
      parts.push((await patch(room, from, to, ['--', path])) ?? (await asBinary(repo, from, to, path)));
    return parts.join('');
  });
}

async function patch(room: Room, from: string, to: string, only: readonly string[]): Promise<string | null> {
  const bytes = await room.bytes(
    [...between(from, to), '-p', '--binary', '--full-index', '--no-color', ...only],
    LITERALLY,
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
const LITERALLY = { env: { GIT_LITERAL_PATHSPECS: '1' } };

const asBinary = (repo: Repository, from: string, to: string, path: string): Promise<string> =>
  inRoom(repo, null, async room => {
    await writeFile(join(room.dir, 'info', 'attributes'), '* -diff\n');
    return (await patch(room, from, to, ['--', path])) ?? '';
  });

/** The bytes of a file in a commit or tree, or null when it is not there. */
export async function readBlob(repo: Repository, commit: string, path: string): Promise<Buffer | null> {
  return inRoom(repo, null, async room => {
    const entry = zSplit(await room.git(['ls-tree', '-z', commit, '--', path], LITERALLY))[0];
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
