/** Writes git bundles. */
import { open, rename, rm } from 'node:fs/promises';
import { DureError, dureError } from '../../errors.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import { writeErrorOf } from '../../formats/file-system/write-errors.ts';
import { STORAGE } from '../git/isolated-git.ts';
import { git, type Repository } from '../git/run-git.ts';

const QUICKLY = Object.entries(STORAGE).flatMap(([name, value]) => ['-c', `core.${name}=${value}`]);

/**
 * Writes a bundle of a ref; `without` are commits that the receiver has. Replaces the file as a whole. Git
 * itself would write `file.lock` first; if killed, it would leave this lock behind and then refuse to write
 * the bundle again. Throws `E_GIT`, `E_DISK`.
 */
export async function writeBundle(
  repo: Repository,
  ref: string,
  without: readonly string[],
  file: string,
): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  const excluded = without.map(commit => `^${commit}`);
  try {
    await git(repo, [...QUICKLY, 'bundle', 'create', '--quiet', '-', ref, ...excluded], { into: temporary });
    await flush(temporary);
    await rename(temporary, file);
  } catch (error) {
    if (error instanceof DureError || diskFault(error)) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw dureError('E_DISK', { file, why: 'its folder does not exist', missing: true }, { cause: error });
    throw (
      writeErrorOf(file, error) ?? dureError('E_GIT', { command: 'bundle', stderr: (error as Error).message })
    );
  } finally {
    await rm(temporary, { force: true });
  }
}

/** If a power failure damages the repository, the bundle is the only copy left. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
