/**
 * Keeps copies of the files that a build may change, and restores them: building again or creating the checkout again
 * would take longer.
 */
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { fingerprintsOf } from '../../../workspace/fingerprint-and-restore-folder.ts';

export interface BuiltFilesBackup {
  /** Restores the files that have changed. Returns the absolute paths of all files and folders that it keeps. */
  restore(): Promise<readonly string[]>;
}

const DEPENDENCIES = new Set(['.venv', '.git']);
const CACHES = new Set(['.cache', '.vite', '.tmp']);

/** Copies the files in `top`, except installed packages, to `copies`, a folder beside `top`. */
export async function backUpBuiltFiles(top: string, copies: string): Promise<BuiltFilesBackup> {
  await rm(copies, { recursive: true, force: true });
  await mkdir(copies, { mode: 0o700 });
  const paths = await pathsIn(top);
  const folders = new Set<string>();
  for (const path of paths)
    if ((await copyEntry(join(top, path), join(copies, path))) === 'folder') folders.add(path);
  const absolute = paths.map(path => join(top, path));
  let were = await fingerprintsOf(absolute);
  return {
    async restore() {
      for (const path of paths) {
        const file = join(top, path);
        const are = await fingerprintsOf([file]);
        if (were.get(file) === are.get(file)) continue;
        const found = await lstat(file).catch(unlessDiskFails(null));
        if (folders.has(path) && found?.isDirectory()) continue;
        await rm(file, { recursive: true, force: true });
        await copyEntry(join(copies, path), file);
      }
      were = await fingerprintsOf(absolute);
      return absolute;
    },
  };
}

/** Copies a file or a link, or creates an empty folder. */
async function copyEntry(from: string, to: string): Promise<'folder' | 'other'> {
  const found = await lstat(from);
  await mkdir(found.isDirectory() ? to : dirname(to), { recursive: true });
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (found.isFile()) await copyFile(from, to);
  return 'other';
}

/** Each folder comes before its contents. Includes the caches that tools keep in `node_modules`. */
async function pathsIn(top: string): Promise<string[]> {
  const paths: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(top, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (DEPENDENCIES.has(entry.name) || (basename(below) === 'node_modules' && !CACHES.has(entry.name)))
        continue;
      paths.push(path);
      if (entry.isDirectory()) await visit(path);
    }
  };
  await visit('');
  return paths;
}
