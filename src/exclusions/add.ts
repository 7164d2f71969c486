/** Writes exclusions the person has allowed, as they were shown. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { create, replace } from '../formats/file.ts';
import type { Edit } from './find.ts';

/** The files that were written. One that changed since it was shown is left as it is. */
export async function addExclusions(root: string, edits: readonly Edit[]): Promise<string[]> {
  const written: string[] = [];
  for (const edit of edits) if (await add(root, edit)) written.push(edit.file);
  return written;
}

async function add(root: string, { file, before, after }: Edit): Promise<boolean> {
  const path = join(root, file);
  if (before === null) return create(path, after);
  const own = await realpath(path);
  if ((await readFile(own, 'utf8')) !== before) return false;
  await replace(own, after, (await stat(own)).mode & 0o777);
  return true;
}
