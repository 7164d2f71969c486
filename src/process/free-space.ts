/** Free disk space available to the user who runs Dure. */
import { statfs } from 'node:fs/promises';

/** With less free space, a run may not be able to write its next file. */
export const LITTLE_SPACE = 200_000_000;

/** Free bytes in the file system of an existing folder. */
export async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
