/** Lists the files in a folder and in all folders below it. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Returns the paths, relative to the folder, of everything in it that is not a folder. Links are listed, not followed.
 * Throws if a folder cannot be read.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)));
}
