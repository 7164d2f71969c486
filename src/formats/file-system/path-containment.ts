/** Checks whether a path is in a folder, and lists the folders that contain a path. */
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { resolveLinks } from './resolve-links.ts';

/** Whether a path is the folder itself or below it. */
export function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === '' ||
    (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  );
}

/**
 * Whether a path is outside a folder once all symbolic links are resolved. For a path that does not exist,
 * its nearest existing parent counts.
 */
export const leadsOutside = (folder: string, path: string): boolean =>
  !isWithin(existingPart(folder), existingPart(path));

const existingPart = (path: string): string => resolveLinks(path)?.real ?? existingPart(dirname(path));

/** The parent folders of a relative path, outermost first. */
export const foldersOf = (path: string): string[] => {
  const parent = dirname(path);
  return parent === '.' ? [] : [...foldersOf(parent), parent];
};

/** The parents of a folder, nearest first, up to the root. */
export const foldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [] : [dirname(folder), ...foldersAbove(dirname(folder))];
