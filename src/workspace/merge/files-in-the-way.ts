/**
 * Finds existing files where a result will be written. Git silently overwrites ignored files and does not check
 * whether a file occupies the path of a parent folder, so anything missed here may be lost.
 */
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../formats/file-system/files-below.ts';
import { foldersOf } from '../../formats/file-system/path-containment.ts';
import { exists, statsOf } from '../../formats/file-system/path-status.ts';

export interface ExistingFiles {
  /** Files, links and submodules at exactly the paths that were checked. */
  readonly files: readonly string[];
  /** Known files that no longer exist. */
  readonly gone: readonly string[];
  /**
   * Untracked files that git would remove: a file or link where the result has a folder, or the contents of a folder
   * where the result has a file.
   */
  readonly inTheWay: readonly string[];
}

/** Paths of files and submodules. */
export interface ExpectedFiles {
  /** Paths in the tree with which the files are compared. */
  readonly known: ReadonlySet<string>;
  /** Paths in the result. A folder at any other path is kept. */
  readonly wanted: ReadonlySet<string>;
  /** Paths of the submodules of the result. */
  readonly submodules: ReadonlySet<string>;
}

export async function existingFiles(
  workTree: string,
  touched: readonly string[],
  { known, wanted, submodules }: ExpectedFiles,
): Promise<ExistingFiles> {
  const ours = new Set([...known, ...touched]);
  const [files, gone, inTheWay]: [string[], string[], string[]] = [[], [], []];
  for (const path of touched) {
    const found = await firstAt(workTree, path);
    if (found && found.at !== path) {
      if (!ours.has(found.at)) inTheWay.push(found.at);
    } else if (found?.stats.isFile() || found?.stats.isSymbolicLink()) files.push(path);
    else if (found && !found.stats.isDirectory()) inTheWay.push(path);
    else if (found && submodules.has(path) && (await exists(join(workTree, path, '.git')))) files.push(path);
    else {
      if (known.has(path)) gone.push(path);
      const below = found && wanted.has(path) ? await filesBelow(join(workTree, path)) : [];
      inTheWay.push(...below.map(file => join(path, file)).filter(file => !ours.has(file)));
    }
  }
  return { files, gone, inTheWay };
}

interface Found {
  readonly at: string;
  readonly stats: Stats;
}

/**
 * Returns the first part of `path` that is not a folder, or the entry at `path` itself. Null if a part does not exist.
 */
async function firstAt(workTree: string, path: string): Promise<Found | null> {
  for (const at of [...foldersOf(path), path]) {
    const stats = await statsOf(join(workTree, at));
    if (!stats) return null;
    if (at === path || !stats.isDirectory()) return { at, stats };
  }
  return null;
}

/** Returns the first part of `path` that is missing or not a folder. */
export async function firstMissing(workTree: string, path: string): Promise<string> {
  for (const at of foldersOf(path)) if (!(await statsOf(join(workTree, at)))?.isDirectory()) return at;
  return path;
}
