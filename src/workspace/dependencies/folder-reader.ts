/**
 * Reads the files directly in a folder, to recognize package managers and checks. Files that are too large, broken
 * links and invalid JSON or TOML count as absent.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { namesIn, statsOfTarget } from '../../formats/file-system/path-status.ts';
import { type JsonObject, objectAt } from '../../formats/schema/json-access.ts';
import { ignoredAmong } from '../git/ignored-paths.ts';

export interface Folder {
  readonly path: string;
  has(name: string): boolean;
  /** Matching names, sorted. */
  names(pattern: RegExp): string[];
  text(name: string): Promise<string | null>;
  json(name: string): Promise<JsonObject | null>;
  toml(name: string): Promise<JsonObject | null>;
  /** Names of existing files that count as absent because git ignores them. */
  readonly ignored: ReadonlySet<string>;
  /** Reads a subfolder in the same way. */
  below(name: string): Promise<Folder>;
}

export type ReadFolder = (path: string) => Promise<Folder>;

const LIMIT = 50_000_000;

/** All files, as they are in a checkout. */
export const readFolder: ReadFolder = async path =>
  folderOf({ path, names: await sortedNames(path), ignored: new Set(), read: readFolder });

/**
 * The files in a user's folder that git does not ignore. Only these can be in a commit, and therefore in a
 * fresh tree.
 */
export const readUnignored: ReadFolder = async path => {
  const all = await sortedNames(path);
  const ignored = await ignoredAmong(path, all);
  return folderOf({ path, names: all.filter(name => !ignored.has(name)), ignored, read: readUnignored });
};

const sortedNames = async (path: string): Promise<string[]> => (await namesIn(path)).sort();

interface Listing {
  readonly path: string;
  readonly names: readonly string[];
  readonly ignored: ReadonlySet<string>;
  readonly read: ReadFolder;
}

function folderOf({ path, names, ignored, read }: Listing): Folder {
  const known = new Set(names);
  const text = async (name: string): Promise<string | null> => {
    if (ignored.has(name)) return null;
    const file = join(path, name);
    const found = await statsOfTarget(file);
    return found?.isFile() && found.size <= LIMIT ? readFile(file, 'utf8') : null;
  };
  const parsed = async (name: string, parseText: (text: string) => unknown): Promise<JsonObject | null> => {
    const source = await text(name);
    if (source === null) return null;
    try {
      const value = parseText(source);
      const table = objectAt(value);
      return table === value ? table : null;
    } catch {
      return null;
    }
  };
  return {
    path,
    has: name => known.has(name),
    names: pattern => names.filter(name => pattern.test(name)),
    text,
    json: name => parsed(name, source => JSON.parse(source.replace(/^\uFEFF/, ''))),
    toml: name => parsed(name, parse),
    ignored,
    below: name => read(join(path, name)),
  };
}

/** Returns why a folder has none of these lockfiles, to show to the user. */
export function whyUnlocked(folder: Folder, lockfiles: readonly string[]): string {
  const ignored = lockfiles.find(name => folder.ignored.has(name));
  return ignored === undefined ? 'no lockfile' : `${ignored} is ignored by git`;
}
