/**
 * Reads files that agents wrote; the path comes from a request. Serves only regular files that have no other hard
 * link, are not too large, and whose real path is inside the run folder. Opening a pipe never blocks.
 */
import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { runFiles, SERVED_FOLDERS } from '../../formats/layout.ts';
import { openCautiously } from '../../formats/read-untrusted-files.ts';
import { HttpRefusal } from '../api/http-refusal.ts';

export const ARTEFACT_LIMIT = 16_000_000;

const { state, events } = runFiles('');
const FILES = [state, events];

export interface Artefact {
  readonly name: string;
  readonly bytes: Buffer;
}

const absent = () => new HttpRefusal(404, 'E_NOT_FOUND', 'There is no such file.');

/** `more` lists the folders of plugin roles. Throws 400, 404 or 413. */
export async function readArtefact(
  dir: string,
  parts: readonly string[],
  more: readonly string[],
): Promise<Artefact> {
  if (parts.length === 0 || parts.some(isOdd))
    throw new HttpRefusal(400, 'E_PATH', 'The path of the artefact is not valid.');
  const [first] = parts as [string];
  const allowed =
    parts.length === 1 ? FILES.includes(first) : SERVED_FOLDERS.includes(first) || more.includes(first);
  if (!allowed) throw absent();
  const handle = await opened(join(dir, ...parts));
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.nlink !== 1) throw absent();
    const real = await realPathOf(handle, join(dir, ...parts));
    if (real === null || !real.startsWith((await realpath(dir)) + sep)) throw absent();
    if (found.size > ARTEFACT_LIMIT)
      throw new HttpRefusal(413, 'E_TOO_LARGE', `Too large to show: ${Math.round(found.size / 1e6)} MB.`);
    // Unlike `readFile`, this reads no more than `size` bytes, so a file that grows meanwhile cannot exhaust memory.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0);
    return { name: parts.at(-1)!, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

const isOdd = (part: string): boolean =>
  part === '' || part === '.' || part === '..' || part.length > 255 || /[/\\\x00-\x1f:]/.test(part);

async function opened(file: string): Promise<FileHandle> {
  try {
    return await openCautiously(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code && ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'EISDIR', 'ENAMETOOLONG'].includes(code))
      throw absent();
    throw error;
  }
}

/**
 * Reads the path from the open handle where the system allows it: between checking a path and opening it, a link may
 * replace a folder.
 */
async function realPathOf(handle: FileHandle, file: string): Promise<string | null> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`);
  const real = await realpath(file).catch(() => null);
  if (real === null) return null;
  const [named, held] = [await stat(real), await handle.stat()];
  return named.ino === held.ino && named.dev === held.dev ? real : null;
}
