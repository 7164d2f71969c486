/** Locates and copies the index file of the user's working tree. */
import { copyFile, realpath, stat, utimes } from 'node:fs/promises';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { git, type Repository } from './run-git.ts';

/** Returns the path of the index. Follows a symbolic link, as git does. */
export async function indexFile(repo: Repository): Promise<string> {
  const file = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  return realpath(file).catch(unlessDiskFails(file));
}

/**
 * Copies the index; returns false if there is none. Git rereads a file that has the same mtime as the index, because
 * the file may have changed after git added it. A copy with a later mtime would hide such a change, so the copy gets
 * the mtime of the index.
 */
export async function copyIndex(index: string, copy: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, copy);
    const seconds = Math.floor(mtimeMs) / 1000;
    await utimes(copy, seconds, seconds);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}
