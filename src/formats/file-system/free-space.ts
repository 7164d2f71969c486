/** Checks how much disk space is available to the user who runs Dure. */
import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { statsOf } from './path-status.ts';
import { asDiskError } from './temporary-disk-errors.ts';
import { writeErrorOf } from './write-errors.ts';

/** With less free space than this, a run may not be able to write its next file. */
export const LITTLE_SPACE = 200_000_000;

/** Size in bytes of the file that is written before a launch to test whether there is free space. */
const ROOM = 256 * 1024;

/**
 * Throws `E_DISK` if a small file cannot be written to an existing folder. If an agent replaced the folder with a link,
 * nothing is written through the link; restore-replaced-folders.ts reports it.
 */
export async function expectRoom(folder: string): Promise<void> {
  if ((await statsOf(folder))?.isSymbolicLink()) return;
  const file = join(folder, `room.${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(ROOM), { flush: true });
  } catch (error) {
    throw writeErrorOf(file, error) ?? error;
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Throws `E_DISK` if the file system is full or the folder is missing. Writes nothing, so it does not detect other
 * errors.
 */
export async function expectFreeSpace(folder: string): Promise<void> {
  const free = await freeSpace(folder).catch((cause: NodeJS.ErrnoException) => {
    const missing = cause.code === 'ENOENT';
    const why = missing ? 'the folder does not exist' : cause.message;
    throw dureError('E_DISK', { file: folder, why, missing }, { cause });
  });
  if (free < ROOM)
    throw asDiskError(folder, Object.assign(new Error('the disk is full'), { code: 'ENOSPC' }));
}

/** Returns the free bytes in the file system of an existing folder. */
export async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
