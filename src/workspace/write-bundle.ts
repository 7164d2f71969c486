/** Writes git bundles. */
import { rename, rm } from 'node:fs/promises';
import { DureError, dureError } from '../errors.ts';
import { diskFault } from '../formats/disk-errors.ts';
import { git, type Repository } from './git.ts';

/** Comparing big files with each other would take minutes. */
const QUICKLY = ['-c', 'core.bigFileThreshold=16m', '-c', 'core.compression=1'];

/**
 * Writes a bundle of a ref; `without` are commits that the receiver has. The file is replaced as a whole. Git itself would
 * write it under the name `file.lock`, which a kill leaves behind, and which git then refuses to replace. Throws `E_GIT`.
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
    await rename(temporary, file);
  } catch (error) {
    if (error instanceof DureError || diskFault(error)) throw error;
    throw dureError('E_GIT', { command: 'bundle', stderr: (error as Error).message });
  } finally {
    await rm(temporary, { force: true });
  }
}
