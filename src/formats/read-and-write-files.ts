/** Reads, replaces and creates files. A file that is replaced or created here is never partially written. */
import { randomUUID } from 'node:crypto';
import { link, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { z } from 'zod';
import { dureError } from '../errors.ts';
import { createFolder } from './file-system/create-folder.ts';
import { statsOf, statsOfTarget } from './file-system/path-status.ts';
import { writeErrorOf } from './file-system/write-errors.ts';
import { readText, unreadableReason } from './read-untrusted-files.ts';
import { expectNoLink } from './refuse-symlinks.ts';
import type { FileFormat } from './schema/define-file.ts';
import { problemsOf } from './schema/schema-problems.ts';
import { jsonText, parseJson } from './schema/strict-json.ts';

export { readText, SIZE_LIMIT } from './read-untrusted-files.ts';

export type Read<T> =
  | { is: 'absent' }
  | { is: 'invalid'; problem: string }
  | { is: 'value'; value: T; text: string };

/** Reads a file written by an agent: an error in it is returned as a value, never thrown. */
export async function readFormat<S extends z.ZodType>(
  format: FileFormat<S>,
  file: string,
  limit?: number,
): Promise<Read<z.infer<S>>> {
  try {
    const text = await readText(file, limit);
    if (text === null) return { is: 'absent' };
    // A plugin's schema validates in the plugin's process.
    return read(await format.shape.safeParseAsync(parseJson(text)), text);
  } catch (error) {
    if (error instanceof SyntaxError) return { is: 'invalid', problem: `not JSON: ${error.message}` };
    return { is: 'invalid', problem: unreadableReason(error) };
  }
}

export function parseFormat<S extends z.ZodType>(format: FileFormat<S>, text: string): Read<z.infer<S>> {
  try {
    return read(format.shape.safeParse(parseJson(text)), text);
  } catch (error) {
    if (error instanceof SyntaxError) return { is: 'invalid', problem: `not JSON: ${error.message}` };
    throw error;
  }
}

const read = <T>(parsed: z.ZodSafeParseResult<T>, text: string): Read<T> =>
  parsed.success
    ? { is: 'value', value: parsed.data, text }
    : { is: 'invalid', problem: problemsOf(parsed.error) };

/** Reads one of Dure's own files. Null if it does not exist; throws `E_FILE_INVALID` if it is invalid. */
export async function load<S extends z.ZodType>(
  format: FileFormat<S>,
  file: string,
  limit?: number,
): Promise<z.infer<S> | null> {
  const read = await readFormat(format, file, limit);
  if (read.is === 'invalid') throw dureError('E_FILE_INVALID', { file, problems: read.problem });
  return read.is === 'value' ? read.value : null;
}

/** Reads a file that anyone may have changed; null if it does not exist or is invalid. */
export async function readValue<S extends z.ZodType>(
  format: FileFormat<S>,
  file: string,
  limit?: number,
): Promise<z.infer<S> | null> {
  const read = await readFormat(format, file, limit);
  return read.is === 'value' ? read.value : null;
}

/** Replaces a file atomically: temporary file, fsync, rename. */
export async function replace(file: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await guarded(file, () =>
    retryWrite(async () => {
      expectNoLink(file);
      await makeFolder(dirname(file));
      await clearPlace(file);
      await writeFileAtomic(file, content, { fsync: true, mode });
    }),
  );
}

/** Creates a folder. Renames a file or a dangling link at the same path. */
export async function makeFolder(dir: string): Promise<void> {
  await createFolder(dir).catch(async error => {
    // If the folder exists, this is another error, such as a disk error, and the folder must stay where it is.
    if ((await statsOfTarget(dir))?.isDirectory() || !(await statsOf(dir))) throw error;
    await rename(dir, siblingPath(dir, 'file'));
    await createFolder(dir);
  });
}

const siblingPath = (path: string, kind: string): string => `${path}.${randomUUID().slice(0, 8)}.${kind}`;

/** Removes a link at the file's path, so that its target is not overwritten. Renames a folder at that path. */
async function clearPlace(file: string): Promise<void> {
  const found = await statsOf(file);
  if (found?.isSymbolicLink()) await unlink(file);
  else if (found?.isDirectory()) await rename(file, siblingPath(file, 'folder'));
}

export const replaceJson = (file: string, value: unknown, mode = 0o644): Promise<void> =>
  replace(file, jsonText(value), mode);

/** Creates a file atomically. False if it already exists. */
export async function create(file: string, content: string, mode = 0o644): Promise<boolean> {
  return guarded(file, () => retryWrite(() => created(file, content, mode)));
}

async function created(file: string, content: string, mode: number): Promise<boolean> {
  expectNoLink(file);
  await makeFolder(dirname(file));
  const making = `${file}.${process.pid}.${randomUUID().slice(0, 8)}`;
  try {
    await writeFile(making, content, { flag: 'wx', mode, flush: true });
    await link(making, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    // An error here must not hide that the file was created: the caller would hold a lock without knowing it.
    await rm(making, { force: true }).catch(() => {});
  }
}

/** Number of attempts, in case the temporary file is removed. */
const MAX_TRIES = 5;

/** Tries again if the check for stray files removed the temporary file while it was being written. */
async function retryWrite<T>(make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await make();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === MAX_TRIES) throw error;
    }
}

/** Throws `E_DISK` with a plain reason if a file cannot be written. */
export async function guarded<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw writeErrorOf(file, error) ?? error;
  }
}
