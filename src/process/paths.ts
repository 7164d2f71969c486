/** Relations between absolute paths. Pure: links are not followed. */
import { dirname, relative } from 'node:path';

/** Whether `path` is `folder` or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('/'));
}

/** The parents of a folder, nearest first, up to the root. */
export const foldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [] : [dirname(folder), ...foldersAbove(dirname(folder))];
