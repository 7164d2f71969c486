/**
 * Opens a log for appending. Only a regular file with a single link is opened, so that a planted link is not followed
 * and a pipe does not block. Anything else throws `E_DISK`.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dureError } from '../errors.ts';
import { expectNoLink } from './refuse-symlinks.ts';

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const REASONS: Record<string, string> = {
  ELOOP: 'it is a symbolic link',
  ENXIO: 'it is not a regular file',
  EISDIR: 'it is a folder',
  ENOENT: 'it was moved or removed',
};

/** Creates the log if it does not exist. Only its owner can read it. */
export const openForAppend = (file: string): Promise<FileHandle> => opened(file, FLAGS | constants.O_CREAT);

/** Opens an existing log; does not create one. */
export const reopenForAppend = (file: string): Promise<FileHandle> => opened(file, FLAGS);

async function opened(file: string, flags: number): Promise<FileHandle> {
  expectNoLink(file);
  const handle = await open(file, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = REASONS[error.code ?? ''];
    throw why ? dureError('E_DISK', { file, why }, { cause: error }) : error;
  });
  const found = await handle.stat();
  if (found.isFile() && found.nlink === 1) return handle;
  await handle.close();
  const why = found.isFile() ? 'it has another hard link' : 'it is not a regular file';
  throw dureError('E_DISK', { file, why });
}
