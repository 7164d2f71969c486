/** Reading what anybody may have written: ordinary files only, and not without end. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes that a file of JSON or Markdown from an agent may have. */
export const SIZE_LIMIT = 4_000_000;

/**
 * The text of an ordinary file, or null when there is none.
 * A link, pipe, device or folder, or more than `limit` bytes, is a `TypeError` that says so: agents write these files.
 */
export async function readText(file: string, limit = SIZE_LIMIT): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new TypeError(
      code === 'ELOOP'
        ? 'it is a symbolic link'
        : code === 'ENXIO'
          ? 'it is not an ordinary file'
          : String(code),
    );
  }
  try {
    const stats: Stats = await handle.stat();
    if (!stats.isFile()) throw new TypeError('it is not an ordinary file');
    if (stats.size > limit) throw new TypeError(`it has ${stats.size} bytes, more than ${limit}`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
