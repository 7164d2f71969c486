/**
 * Hashes of a merge-readiness pack. They are recorded when the pack is created and compared whenever it is shown or
 * approved, so that modified files in `mrp/` are never shown as Dure's.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { dureError } from '../../../errors.ts';
import { filesBelow } from '../../../formats/file-system/files-below.ts';
import { isFolder } from '../../../formats/file-system/path-status.ts';
import { type RunFiles, runIdOf } from '../../../formats/layout.ts';
import { asUnreadable } from '../../../formats/read-untrusted-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { changedNames } from '../../policy/user-file-changes.ts';

/** SHA-256 hashes by name. A file's hash covers its bytes; a folder's, the paths, modes and hashes of its contents. */
export type PackHashes = Readonly<Record<string, string>>;

export async function hashPack(dir: string, hash = hashAt): Promise<PackHashes> {
  const names = (await readdir(dir)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await hash(join(dir, name))] as const)),
  );
}

/** A file that cannot be read matches no recorded hash. */
const otherwise =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (!asUnreadable(error)) throw error;
    return instead;
  };
const hashIfReadable = (path: string) => hashAt(path).catch(otherwise('unreadable'));

async function hashAt(path: string): Promise<string> {
  const hash = createHash('sha256');
  if (!(await lstat(path)).isDirectory()) return hashOfFile(path);
  for (const name of (await filesBelow(path)).sort()) {
    const file = join(path, name);
    const { mode } = await lstat(file);
    hash.update(`${name}\0${mode & 0o111 ? 'x' : '-'}${await hashOfFile(file)}\0`);
  }
  return hash.digest('hex');
}

/** Does not follow links and does not read pipes, which might never end. */
async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const found = await lstat(path);
  if (found.isFile()) await pipeline(createReadStream(path), hash);
  else hash.update(found.isSymbolicLink() ? `link to ${await readlink(path)}` : 'special');
  return hash.digest('hex');
}

/** Returns the sorted names of everything that differs from the record; nothing if there is no pack. */
export async function changedInPack(files: RunFiles, { mrp }: Pick<RunState, 'mrp'>): Promise<string[]> {
  if (!mrp) return [];
  const now: PackHashes = (await isFolder(files.mrp))
    ? await hashPack(files.mrp, hashIfReadable).catch(otherwise({}))
    : {};
  return changedNames(mrp.files, now);
}

/**
 * Call before showing a pack; `earlier` is the number of a pack that is not the newest and cannot be created
 * again. Throws `E_PACK_CHANGED`, `E_EARLIER_PACK_CHANGED`.
 */
export async function expectPackUnchanged(
  files: RunFiles,
  state: Pick<RunState, 'mrp'>,
  earlier?: number,
): Promise<void> {
  const changed = (await changedInPack(files, state)).join(', ');
  if (changed === '') return;
  const of = { run: runIdOf(files), files: changed };
  throw earlier === undefined
    ? dureError('E_PACK_CHANGED', of)
    : dureError('E_EARLIER_PACK_CHANGED', { ...of, pack: earlier });
}
