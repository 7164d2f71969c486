/**
 * Detects changes in a folder. A file counts as unchanged if its inode, mode, size, mtime and ctime are the
 * same. Programs cannot set the ctime, so every write or replacement is detected.
 */

import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';

/** Fingerprints by path. */
export type Snapshot = ReadonlyMap<string, string>;

export function takeSnapshot(top: string): Snapshot {
  const entries = new Map<string, string>();
  walk(top, (path, found) => {
    entries.set(path, fingerprint(found));
    return found.isDirectory();
  });
  return entries;
}

/** Updates the fingerprints of files that were changed on purpose, so that they count as unchanged. */
export async function renewSnapshot(snapshot: Snapshot, paths: readonly string[]): Promise<Snapshot> {
  const renewed = await fingerprintsOf(paths.filter(path => snapshot.has(path)));
  return new Map([...snapshot, ...renewed]);
}

/** Returns the fingerprints of the files that exist. */
export async function fingerprintsOf(paths: readonly string[]): Promise<Snapshot> {
  const found = await Promise.all(
    paths.map(
      async path => [path, await lstat(path, { bigint: true }).catch(unlessDiskFails(null))] as const,
    ),
  );
  return new Map(found.flatMap(([path, stats]) => (stats ? [[path, fingerprint(stats)] as const] : [])));
}

/**
 * Removes files that are not in the snapshot. If a file in the snapshot was changed or removed, removes nothing and
 * returns false.
 */
export async function restore(top: string, snapshot: Snapshot): Promise<boolean> {
  const added: string[] = [];
  let unchanged = 0;
  walk(top, (path, found) => {
    const before = snapshot.get(path);
    if (before === undefined) added.push(path);
    if (before === fingerprint(found)) unchanged += 1;
    return before !== undefined && found.isDirectory();
  });
  if (unchanged < snapshot.size) return false;
  for (const path of added) await removeFolder(path);
  return true;
}

/** Timestamps of folders are ignored, because adding and removing files changes them. */
const fingerprint = (found: BigIntStats): string =>
  (found.isDirectory()
    ? [found.ino, found.mode]
    : [found.ino, found.mode, found.size, found.mtimeNs, found.ctimeNs]
  ).join(' ');

/**
 * Calls `enter` for each entry, and walks into the entry if `enter` returns true. Links are not followed. Synchronous,
 * because a promise for each entry would take five times as long, and a folder with dependencies has many thousands of
 * entries.
 */
function walk(folder: string, enter: (path: string, found: BigIntStats) => boolean): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (enter(path, lstatSync(path, { bigint: true }))) walk(path, enter);
  }
}
