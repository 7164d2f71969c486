/** Reads untrusted files: regular files only, up to a maximum size. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DureError, dureError } from '../errors.ts';
import { linkInRun, pathFromRun } from './refuse-symlinks.ts';

/** Maximum size in bytes of a JSON or Markdown file from an agent. */
export const SIZE_LIMIT = 4_000_000;

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads the text of a regular file; null if there is none. Throws `E_FILE_UNREADABLE` for a link, pipe, device or
 * folder, for a file that may not be read, and for one with more than `limit` bytes.
 */
export async function readText(file: string, limit = SIZE_LIMIT): Promise<string | null> {
  const handle = await openText(file, limit);
  try {
    return handle && (await handle.readFile('utf8'));
  } finally {
    await handle?.close();
  }
}

/**
 * Opens a file for reading. Refuses symbolic links, both at the path itself and in the folders of a run, and
 * does not block on a pipe.
 */
export async function openCautiously(file: string): Promise<FileHandle> {
  for (let tries = 1; ; tries += 1) {
    expectNoLink(file, tries);
    const handle = await process.getBuiltinModule('node:fs/promises').open(file, FLAGS);
    if (isAt(file, handle.fd)) return handle;
    await handle.close();
  }
}

/** Like `readText`, but opens the file so that it can be read in pieces. */
export async function openText(file: string, limit: number): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await openCautiously(file);
  } catch (error) {
    return unopened(file, error);
  }
  try {
    checked(file, await handle.stat(), limit);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * The synchronous version of `readText`, for programs that read no other file: loading `fs/promises` would delay them.
 */
export function readTextNow(file: string): string | null {
  let fd: number;
  try {
    fd = openCautiouslyNow(file);
  } catch (error) {
    return unopened(file, error);
  }
  try {
    checked(file, fstatSync(fd), SIZE_LIMIT);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Like `readTextNow`, for lists: a file that is missing or unreadable must not make the list fail. */
export function readTextOrEmpty(file: string): string {
  try {
    return readTextNow(file) ?? '';
  } catch {
    return '';
  }
}

/** The synchronous version of `openCautiously`. */
export function openCautiouslyNow(file: string): number {
  for (let tries = 1; ; tries += 1) {
    expectNoLink(file, tries);
    const fd = openSync(file, FLAGS);
    if (isAt(file, fd)) return fd;
    closeSync(fd);
  }
}

/** Number of attempts to open a file that other processes keep replacing. */
const MAX_TRIES = 20;

function expectNoLink(file: string, tries: number): void {
  const link = linkInRun(dirname(file));
  if (link) throw Object.assign(new Error(`${link} is a symbolic link`), { code: 'ELOOP' });
  if (tries > MAX_TRIES) throw Object.assign(new Error('it changes too often'), { code: 'ELOOP' });
}

/**
 * Whether the opened file is the one at this path of its run. After the path was checked, an agent may have replaced a
 * folder with a link, so that another file was opened. This can be checked only on Linux; on other systems,
 * agents are not sandboxed, and the result is always true.
 */
function isAt(file: string, fd: number): boolean {
  const path = pathFromRun(file);
  if (path === null || process.platform !== 'linux') return true;
  return readlinkSync(`/proc/self/fd/${fd}`).endsWith(`/${path}`);
}

const NO_FILE = 'it is not a regular file';
const NOT_ALLOWED = 'no read permission';
const REASONS: Record<string, string> = {
  ELOOP: 'it is a symbolic link',
  ENXIO: NO_FILE,
  ENODEV: NO_FILE,
  EISDIR: NO_FILE,
  ENOTDIR: 'it is not a folder',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  ENAMETOOLONG: 'its name is too long',
};
/** System calls that can fail when something is read. */
const READS = ['open', 'read', 'scandir', 'opendir', 'stat', 'lstat', 'readlink'];

/**
 * Returns `E_FILE_UNREADABLE` for a system error about a path that has the wrong type or cannot be read; otherwise
 * null.
 */
export function asUnreadable(error: unknown): DureError | null {
  const { code = '', path, syscall = '' } = error as NodeJS.ErrnoException;
  const why = REASONS[code];
  return why !== undefined && path !== undefined && READS.includes(syscall)
    ? dureError('E_FILE_UNREADABLE', { file: path, why }, { cause: error })
    : null;
}

/** Returns why a file is unreadable. Rethrows any other error. */
export function unreadableReason(error: unknown): string {
  if (error instanceof DureError && error.code === 'E_FILE_UNREADABLE')
    return (error.context as { why: string }).why;
  throw error;
}

function unopened(file: string, error: unknown): null {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  const why = REASONS[code];
  // Any other error, such as too many open files or a failing disk, does not mean that the file is damaged.
  if (why === undefined) throw error;
  // If a folder in the path is a link, the message names that link.
  throw dureError('E_FILE_UNREADABLE', { file, why: syscall ? why : message }, { cause: error });
}

function checked(file: string, stats: Stats, limit: number): void {
  const why = !stats.isFile()
    ? NO_FILE
    : stats.size > limit && `it has ${stats.size} bytes; the limit is ${limit}`;
  if (why) throw dureError('E_FILE_UNREADABLE', { file, why });
}
