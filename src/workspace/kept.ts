/**
 * The person's files as they were before a result was written over them, to be put back should it not get to its end.
 * Always true here: they come back byte for byte, from copies, for no filter gives back the very bytes for certain; and
 * nothing is removed but what the caller says is of the result.
 */
import { constants, type Stats } from 'node:fs';
import { copyFile, mkdir, readlink, rename, rm, rmdir, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstMissing, statsOf } from './standing.ts';

export interface Kept {
  /** Paths that are no longer what was kept. */
  changed(): Promise<string[]>;
  /** Returns the paths with which it failed. */
  putBack(paths: readonly string[]): Promise<string[]>;
}

interface Before {
  readonly path: string;
  /** Null: no file and no link. */
  readonly stats: Stats | null;
  /** Where the copy is, or to where the link leads. */
  readonly as: string;
  /** The first on the way that was no folder. */
  readonly missing: string;
}

/** Copies what is at `paths` into `dir`, a folder that is made anew. */
export async function keep(workTree: string, paths: readonly string[], dir: string): Promise<Kept> {
  await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  await mkdir(dir, { recursive: true });
  const all: Before[] = [];
  for (const path of paths) all.push(await kept(workTree, path, join(dir, String(all.length))));
  return {
    async changed() {
      const paths: string[] = [];
      for (const before of all) if (!(await isAsBefore(workTree, before))) paths.push(before.path);
      return paths;
    },
    async putBack(paths) {
      const back = all.filter(({ path }) => paths.includes(path));
      const failed = new Set<string>();
      const attempt = async ({ path }: Before, work: Promise<void>) =>
        void (await work.catch(() => failed.add(path)));
      // What was added comes out first, the innermost before what is around it: it may stand where a file was.
      for (const one of [...back].reverse()) await attempt(one, takeOut(workTree, one));
      for (const one of back) if (one.stats) await attempt(one, putIn(workTree, one));
      return [...failed];
    },
  };
}

async function kept(workTree: string, path: string, copy: string): Promise<Before> {
  const full = join(workTree, path);
  const stats = await statsOf(full);
  const missing = await firstMissing(workTree, path);
  if (stats?.isSymbolicLink()) return { path, stats, as: await readlink(full), missing };
  if (!stats?.isFile()) return { path, stats: null, as: '', missing };
  await copyFile(full, copy, constants.COPYFILE_FICLONE);
  await utimes(copy, stats.atime, stats.mtime);
  return { path, stats, as: copy, missing };
}

async function isAsBefore(workTree: string, { path, stats }: Before): Promise<boolean> {
  const now = await statsOf(join(workTree, path));
  if (!stats || !now) return stats === null && !(now?.isFile() || now?.isSymbolicLink());
  return now.ino === stats.ino && now.size === stats.size && now.mtimeMs === stats.mtimeMs;
}

async function takeOut(workTree: string, { path, missing }: Before): Promise<void> {
  if (await statsOf(join(workTree, path))) await rm(join(workTree, path));
  for (let folder = dirname(path); isWithin(folder, missing); folder = dirname(folder))
    await rmdir(join(workTree, folder)).catch(() => {});
}

const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

async function putIn(workTree: string, { path, stats, as }: Before): Promise<void> {
  const full = join(workTree, path);
  await mkdir(dirname(full), { recursive: true });
  if (stats?.isSymbolicLink()) return symlink(as, full);
  // The checkout may be on another disk than its repository.
  await rename(as, full).catch(() => copyFile(as, full));
}
