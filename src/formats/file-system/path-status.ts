/** Inspects paths. A missing or inaccessible path yields null, false or an empty list; a disk failure is thrown. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { unlessDiskFails } from './temporary-disk-errors.ts';

/** The status of the path; for a link, that of the link itself. */
export const statsOf = (path: string): Promise<Stats | null> => lstat(path).catch(unlessDiskFails(null));

/** The status of the path; for a link, that of its target. */
export const statsOfTarget = (path: string): Promise<Stats | null> => stat(path).catch(unlessDiskFails(null));

/** False for a link. */
export const isFile = async (path: string): Promise<boolean> => (await statsOf(path))?.isFile() ?? false;

/** False for a link. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await statsOf(path))?.isDirectory() ?? false;

/** Follows links. */
export const exists = (path: string): Promise<boolean> => isAllowed(path, constants.F_OK);

/** Follows links. */
export const isReadable = (path: string): Promise<boolean> => isAllowed(path, constants.R_OK);

/** Follows links. */
export const isExecutable = (path: string): Promise<boolean> => isAllowed(path, constants.X_OK);

const isAllowed = (path: string, how: number): Promise<boolean> =>
  access(path, how).then(() => true, unlessDiskFails(false));

/** Lists the names in a folder, in the order in which the file system returns them. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch(unlessDiskFails<string[]>([]));
