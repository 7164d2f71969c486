/**
 * The write rule of roles, checked on what is there and not on what was promised: an agent may write in its own folder
 * and ask questions, and nowhere else in the run. Files that Dure or the person writes are nobody's. A stray change is
 * kept for inspection and never used.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { runFiles } from '../formats/layout.ts';
import { changedFiles } from './diff.ts';
import type { Repository } from './git.ts';
import { inRoom } from './room.ts';
import { projectChoice, stage, treeOf } from './stage.ts';

/** Path below the run directory -> what is there. */
export type Fingerprint = ReadonlyMap<string, string>;

const at = runFiles('.');
const GUARDED = [at.briefing, at.builder, at.verifier, at.gatekeeper, at.crps, at.vcrs, at.mrp, at.feedback];
/** Written by Dure or the person, though they lie in the folder of a role. */
const NOBODYS = [at.raw, at.testOutput, at.testLog];

/** What stands in the guarded folders. `except` are paths below the run directory; the worktree is never looked at. */
export async function fingerprint(
  runDir: string,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<Fingerprint> {
  const found = new Map<string, string>();
  const skipped = [at.worktree, ...except];
  const visit = async (path: string): Promise<void> => {
    if (skipped.includes(path)) return;
    const full = join(runDir, path);
    const stats = await lstat(full).catch(() => null);
    if (!stats) return;
    if (stats.isDirectory()) for (const name of (await readdir(full)).sort()) await visit(join(path, name));
    else if (stats.isSymbolicLink()) found.set(path, `link to ${await readlink(full)}`);
    else found.set(path, stats.isFile() ? await hashOf(full, stats.size) : 'special');
  };
  await Promise.all(GUARDED.map(visit));
  return found;
}

/** Bytes up to which a file is read in one go. */
const SMALL = 1_000_000;

async function hashOf(file: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  try {
    if (size <= SMALL) hash.update(await readFile(file));
    else for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
  return hash.digest('hex');
}

/**
 * Paths that changed, came or went outside `allowed` (folders or files below the run directory), sorted. A folder does
 * not allow what Dure or the person writes in it.
 */
export function strayChanges(before: Fingerprint, after: Fingerprint, allowed: readonly string[]): string[] {
  const mine = (path: string) =>
    allowed.includes(path) || (!NOBODYS.includes(path) && allowed.some(own => isBelow(own, path)));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => before.get(path) !== after.get(path) && !mine(path))
    .sort();
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};

/** The tree of the worktree as it stands, to be compared with the sealed one. `base` is the commit the run began with. */
export const worktreeTree = (repo: Repository, dir: string, base: string): Promise<string> =>
  treeOf(repo, dir, base, projectChoice(repo));

/** Puts the worktree back to a sealed tree, with a copy of what differed under `keepIn`. Returns the paths that differed. */
export async function restoreWorktree(
  repo: Repository,
  dir: string,
  tree: string,
  keepIn: string,
): Promise<string[]> {
  return inRoom(repo, dir, async room => {
    await stage(repo, room, dir, tree, projectChoice(repo));
    const strays = await changedFiles(repo, tree, await room.git(['write-tree']));
    await keepStrays(dir, strays, keepIn);
    await room.git(['read-tree', '--reset', '-u', tree]);
    return strays;
  });
}

/**
 * Copies what there is of `paths` below `dir` to `keepIn`. A link is kept as a file that holds where it led, so that
 * nothing is ever read or written through one; special files are not kept.
 */
export async function keepStrays(dir: string, paths: readonly string[], keepIn: string): Promise<void> {
  const top = await realpath(dir);
  for (const path of paths) {
    const [from, copy] = [join(top, path), join(keepIn, path)];
    const stats = await lstat(from).catch(() => null);
    if (!stats?.isFile() && !stats?.isSymbolicLink()) continue;
    if ((await realpath(dirname(from))) !== dirname(from)) continue;
    await mkdir(dirname(copy), { recursive: true });
    if (stats.isFile()) await copyFile(from, copy);
    else await writeFile(copy, await readlink(from));
  }
}
