/**
 * Backs up the user's files before a result is written over them, and restores them if the merge fails. Files are
 * restored byte for byte from copies, because git filters may not reproduce the same bytes. Only files that the caller
 * identifies as the result's are removed.
 */
import { constants, type Stats } from 'node:fs';
import { copyFile, mkdir, readlink, rename, rm, rmdir, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin } from '../../formats/file-system/path-containment.ts';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { firstMissing } from './files-in-the-way.ts';

export interface FileBackup {
  /** Paths that differ from the backup. */
  changed(): Promise<string[]>;
  /** Restores the paths. Returns those that could not be restored. */
  restore(paths: readonly string[]): Promise<string[]>;
}

interface Before {
  readonly path: string;
  /** Null when there was no file or link. */
  readonly stats: Stats | null;
  /** Path of the copy, or the target of the link. */
  readonly as: string;
  /** The first part of the path that was missing or not a folder. */
  readonly missing: string;
}

/** Empties `dir`, then copies the files at `paths` into it. */
export async function backUpFiles(
  workTree: string,
  paths: readonly string[],
  dir: string,
): Promise<FileBackup> {
  await removeFolder(dir);
  await mkdir(dir, { recursive: true });
  const entries: Before[] = [];
  for (const path of paths) entries.push(await backUp(workTree, path, join(dir, String(entries.length))));
  return {
    async changed() {
      const paths: string[] = [];
      for (const before of entries) if (!(await isAsBefore(workTree, before))) paths.push(before.path);
      return paths;
    },
    async restore(paths) {
      const selected = entries.filter(({ path }) => paths.includes(path));
      const failed = new Set<string>();
      const attempt = async ({ path }: Before, work: Promise<void>) =>
        void (await work.catch(() => failed.add(path)));
      // Remove added files first, innermost first, because they may be where a file has to be restored.
      for (const one of [...selected].reverse()) await attempt(one, removeAdded(workTree, one));
      for (const one of selected) if (one.stats) await attempt(one, restoreFile(workTree, one));
      return [...failed];
    },
  };
}

async function backUp(workTree: string, path: string, copy: string): Promise<Before> {
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

async function removeAdded(workTree: string, { path, missing }: Before): Promise<void> {
  if (await statsOf(join(workTree, path))) await rm(join(workTree, path));
  for (let folder = dirname(path); isWithin(missing, folder); folder = dirname(folder))
    await rmdir(join(workTree, folder)).catch(() => {});
}

async function restoreFile(workTree: string, { path, stats, as }: Before): Promise<void> {
  const full = join(workTree, path);
  await mkdir(dirname(full), { recursive: true });
  if (stats?.isSymbolicLink()) return symlink(as, full);
  // The user's files and the git directory may be on different disks.
  await rename(as, full).catch(() => copyFile(as, full));
}
