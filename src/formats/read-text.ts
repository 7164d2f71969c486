/** Reading what anybody may have written: ordinary files only, and not without end. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Bytes that a file of JSON or Markdown from an agent may have. */
export const SIZE_LIMIT = 4_000_000;

const CAUTIOUS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The text of an ordinary file, or null when there is none.
 * A link, pipe, device or folder, or more than `limit` bytes, is a `TypeError` that says so: agents write these files.
 */
export async function readText(file: string, limit = SIZE_LIMIT): Promise<string | null> {
  const handle = await openText(file, limit);
  try {
    return handle && (await handle.readFile('utf8'));
  } finally {
    await handle?.close();
  }
}

/** The same file open, for who reads it in pieces. */
export async function openText(file: string, limit: number): Promise<FileHandle | null> {
  const { open } = process.getBuiltinModule('node:fs/promises');
  let handle: FileHandle;
  try {
    handle = await open(file, CAUTIOUS);
  } catch (error) {
    return unopened(error);
  }
  try {
    checked(await handle.stat(), limit);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The same at once, for who has nothing else to do meanwhile: Node's promises of files take time to load. */
export function readTextNow(file: string, limit = SIZE_LIMIT): string | null {
  let fd: number;
  try {
    fd = openSync(file, CAUTIOUS);
  } catch (error) {
    return unopened(error);
  }
  try {
    checked(fstatSync(fd), limit);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

const SAID: Record<string, string> = { ELOOP: 'it is a symbolic link', ENXIO: 'it is not an ordinary file' };

function unopened(error: unknown): null {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw new TypeError(SAID[code] ?? code);
}

function checked(stats: Stats, limit: number): void {
  if (!stats.isFile()) throw new TypeError('it is not an ordinary file');
  if (stats.size > limit) throw new TypeError(`it has ${stats.size} bytes, more than ${limit}`);
}
