/**
 * Reports why a file or folder could not be written, as `E_DISK`: a temporary disk error, a missing permission, or a
 * file where a folder should be.
 */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type DureError, dureError } from '../../errors.ts';
import { asDiskError } from './temporary-disk-errors.ts';

/** Errors that last until a person changes something. */
const LASTING: Readonly<Record<string, string>> = {
  EACCES: 'no write permission',
  EPERM: 'operation not permitted',
  ENOTDIR: 'a file exists where its folder should be',
};

/** Returns `E_DISK` if writing `file` failed; null for any other error, such as a missing file. */
export function writeErrorOf(file: string, thrown: unknown): DureError | null {
  const error = reasonOf(thrown as NodeJS.ErrnoException);
  const why = LASTING[error.code ?? ''];
  return why === undefined ? asDiskError(file, error) : dureError('E_DISK', { file, why }, { cause: error });
}

/** On a read-only disk, a recursive `mkdir` reports ENOENT; the nearest existing folder gives the actual error. */
function reasonOf(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  if (error.code !== 'ENOENT' || error.syscall !== 'mkdir' || error.path === undefined) return error;
  for (let folder = dirname(error.path); ; folder = dirname(folder)) {
    const found = accessError(folder, constants.W_OK);
    if (found === null) return error;
    if (found.code !== 'ENOENT' || folder === dirname(folder)) return found;
  }
}

function accessError(path: string, mode: number): NodeJS.ErrnoException | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** System calls that write. */
const WRITES = [
  ...['open', 'write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'truncate', 'copyfile', 'cp'],
  ...['mkdir', 'mkdtemp', 'rmdir', 'rm', 'rename', 'unlink', 'link', 'symlink'],
  ...['chmod', 'fchmod', 'utime', 'futime'],
];

/**
 * Returns `E_DISK` if the error is from a system call that writes, and names a path; otherwise null. `open` also reads:
 * if the file cannot be read either, the error is not about writing.
 */
export function writeErrorOfCall(error: unknown): DureError | null {
  const { code, syscall = '', path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (path === undefined || !WRITES.includes(syscall)) return null;
  if (syscall === 'open' && accessError(path, constants.R_OK)?.code === code) return null;
  return writeErrorOf(dest ?? path, error);
}
