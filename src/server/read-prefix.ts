/** Reads the start of a file synchronously: four system calls, never blocking on a pipe. Used for thousands of files. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** At most `limit` bytes of a regular file; null if it cannot be read. */
export function readPrefix(file: string, limit: number): string | null {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(found.size, limit));
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
