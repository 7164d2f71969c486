/**
 * Creates folders at paths that a person chose. Node's recursive `mkdir` never returns where the system reports ENOENT
 * although the parent exists, as procfs does.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dureError } from '../../errors.ts';
import { statsOfTarget } from './path-status.ts';

/** Creates the folder and its missing parents. An existing folder is left as it is. */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  if (await madeOrFound(path, mode)) return;
  const parent = dirname(path);
  if (parent !== path) await createFolder(parent, mode);
  if (!(await madeOrFound(path, mode)))
    throw dureError('E_DISK', {
      file: path,
      why: 'its file system does not allow folders to be created there',
    });
}

/** False if the system reports that a parent is missing. */
async function madeOrFound(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code === 'EEXIST' && (await statsOfTarget(path))?.isDirectory()) return true;
    throw error;
  }
}
