/**
 * Brings the files of a folder into the index of a clean room. Always true here: Dure's own folder and submodules stay
 * as the index had them; a git repository inside the folder is taken as the files it holds, never as a link to commits
 * nobody else has; links are taken as links; pipes, sockets and devices are left out.
 */
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DURE_DIR } from '../formats/layout.ts';
import { type Repository, zJoin, zSplit } from './git.ts';
import { inRoom, type Room } from './room.ts';

/** Which files count: all that git would not ignore, or simply all. */
export interface Choice {
  readonly list: readonly string[];
  readonly besides: readonly string[];
}
/** The files of a project. */
export const projectChoice = (repo: Repository): Choice => ({
  list: ['--exclude-standard'],
  besides: [`${repo.prefix}${DURE_DIR}`],
});
/** The files of a folder of a run. */
export const EVERYTHING: Choice = { list: [], besides: [] };

/** The tree of `dir` as it stands, as a change of the tree `base` (null for none). */
export async function treeOf(
  repo: Repository,
  dir: string,
  base: string | null,
  choice: Choice,
): Promise<string> {
  return inRoom(repo, dir, async room => {
    await stage(repo, room, dir, base, choice);
    return room.git(['write-tree']);
  });
}

export async function stage(
  repo: Repository,
  room: Room,
  dir: string,
  base: string | null,
  choice: Choice,
): Promise<void> {
  const { files, submodules } = base === null ? NOTHING : await begin(repo, room, base);
  const kept = [...choice.besides, ...submodules];
  // Else git would take a repository in the place of a file for a link to its commits.
  const replaced = await folders(dir, files);
  if (replaced.length)
    await room.git(['update-index', '--force-remove', '-z', '--stdin'], { input: zJoin(replaced) });
  const untracked = await others(room, choice);
  const repositories = untracked.filter(isFolder).map(bare);
  // Git would run `git status` inside a submodule, and with it what an agent configured there.
  const but = [...kept, ...repositories].map(path => `:(top,exclude,literal)${path}`);
  if (files.length)
    await room.git(['add', '--update', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: zJoin([':/', ...but]),
    });

  const isKept = (path: string) => kept.some(other => path === other || path.startsWith(`${other}/`));
  const found = untracked.filter(path => !isFolder(path) && !isKept(path));
  const inside: string[] = [];
  for (const path of repositories)
    if (!isKept(path)) inside.push(...(await filesOf(repo, dir, path, choice)));
  const added = [...found, ...(await notIgnored(room, inside, choice))];
  if (added.length)
    await room.git(['update-index', '--add', '--replace', '-z', '--stdin'], { input: zJoin(added) });
}

interface Known {
  readonly files: readonly string[];
  readonly submodules: readonly string[];
}
const NOTHING: Known = { files: [], submodules: [] };

/** The index of the tree that was read last: nearly every look of a run begins with the same one. */
const indexes = new WeakMap<Repository, { base: string; known: Known; index: Buffer }>();

/** Fills the index of a new room with a tree, and says what is in it. */
async function begin(repo: Repository, room: Room, base: string): Promise<Known> {
  const last = indexes.get(repo);
  if (last?.base === base) {
    await writeFile(room.index, last.index);
    return last.known;
  }
  const [list] = await Promise.all([
    room.git(['ls-tree', '-r', '-z', '--full-tree', base]),
    room.git(['read-tree', base]),
  ]);
  const entries = zSplit(list);
  const pathsOf = (link: boolean) =>
    entries
      .filter(entry => entry.startsWith('160000 ') === link)
      .map(entry => entry.slice(entry.indexOf('\t') + 1));
  const known = { files: pathsOf(false), submodules: pathsOf(true) };
  indexes.set(repo, { base, known, index: await readFile(room.index) });
  return known;
}

async function folders(dir: string, paths: readonly string[]): Promise<string[]> {
  const isFolderNow = await Promise.all(
    paths.map(path =>
      lstat(join(dir, path)).then(
        stats => stats.isDirectory(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, i) => isFolderNow[i]);
}

/** The ignore rules around an inner repository hold in it as well. */
async function notIgnored(
  room: Room,
  paths: readonly string[],
  { list }: Choice,
): Promise<readonly string[]> {
  if (!paths.length || !list.length) return paths;
  const answer = await room.ask(['check-ignore', '-z', '--no-index', '--stdin'], { input: zJoin(paths) });
  const ignored = new Set(zSplit(answer ?? ''));
  return paths.filter(path => !ignored.has(path));
}

/** Git lists a repository inside the folder as `name/`, and other folders not at all. */
const isFolder = (path: string) => path.endsWith('/');
const bare = (path: string) => path.replace(/\/$/, '');
const others = async (room: Room, choice: Choice): Promise<string[]> =>
  zSplit(await room.git(['ls-files', '-z', '--others', ...choice.list]));

/** The files of a repository inside the folder, and of those inside it. */
async function filesOf(repo: Repository, dir: string, path: string, choice: Choice): Promise<string[]> {
  const here = await inRoom(repo, join(dir, path), room => others(room, choice));
  const files: string[] = [];
  for (const entry of here) {
    const full = `${path}/${entry}`;
    if (isFolder(entry)) files.push(...(await filesOf(repo, dir, bare(full), choice)));
    else files.push(full);
  }
  return files;
}
