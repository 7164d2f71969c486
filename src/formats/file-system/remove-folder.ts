/**
 * Removes a file, or a folder with all its contents. Agents, tests and some tools leave folders behind that their
 * owner cannot read or write to.
 */
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOf } from './path-status.ts';

export async function removeFolder(dir: string): Promise<void> {
  const gone = () => rm(dir, { recursive: true, force: true, maxRetries: 20 });
  await gone().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    await makeWritable(dir);
    await gone();
  });
}

async function makeWritable(dir: string): Promise<void> {
  if (!(await openFolder(dir))) return;
  for (const name of await readdir(dir).catch(unlessGone<string[]>([]))) await makeWritable(join(dir, name));
}

/** Lets the owner of a folder read and write to it. False if there is no folder. */
export async function openFolder(dir: string): Promise<boolean> {
  const found = await statsOf(dir);
  if (!found?.isDirectory()) return false;
  if ((found.mode & 0o700) === 0o700) return true;
  return chmod(dir, (found.mode & 0o777) | 0o700).then(() => true, unlessGone(false));
}

/** Returns `value` if the path no longer exists: the failed first attempt may still be removing files. */
const unlessGone =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
