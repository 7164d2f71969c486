/** Reads files that anyone may have written: regular files only, up to a maximum size. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { linkInRun } from './run-links.ts';

/** Maximum size in bytes of a JSON or Markdown file from an agent. */
export const SIZE_LIMIT = 4_000_000;

const CAUTIOUS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The text of a regular file; null if there is none.
 * Throws `TypeError` for a link, pipe, device or folder, or for more than `limit` bytes.
 */
export async function readText(file: string, limit = SIZE_LIMIT): Promise<string | null> {
  const handle = await openText(file, limit);
  try {
    return handle && (await handle.readFile('utf8'));
  } finally {
    await handle?.close();
  }
}

/** Opens a file for reading. Follows no link, neither there nor in a folder of a run, and does not wait for a pipe. */
export async function openCautiously(file: string): Promise<FileHandle> {
  expectNoLink(file);
  return process.getBuiltinModule('node:fs/promises').open(file, CAUTIOUS);
}

/** Opens the same file to read it in pieces. */
export async function openText(file: string, limit: number): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await openCautiously(file);
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

/** The synchronous version, for programs that read no other file: loading `fs/promises` takes longer. */
export function readTextNow(file: string, limit = SIZE_LIMIT): string | null {
  let fd: number;
  try {
    fd = openCautiouslyNow(file);
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

/** The same as `openCautiously`, synchronously. */
export function openCautiouslyNow(file: string): number {
  expectNoLink(file);
  return openSync(file, CAUTIOUS);
}

function expectNoLink(file: string): void {
  const link = linkInRun(dirname(file));
  if (link) throw Object.assign(new TypeError(`${link} is a symbolic link`), { code: 'ELOOP' });
}

const SAID: Record<string, string> = { ELOOP: 'it is a symbolic link', ENXIO: 'it is not an ordinary file' };

function unopened(error: unknown): null {
  if (error instanceof TypeError) throw error;
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw new TypeError(SAID[code] ?? code);
}

function checked(stats: Stats, limit: number): void {
  if (!stats.isFile()) throw new TypeError('it is not an ordinary file');
  if (stats.size > limit) throw new TypeError(`it has ${stats.size} bytes, more than ${limit}`);
}
