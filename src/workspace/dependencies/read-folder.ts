/**
 * Read-only access to the files directly in a folder, used to recognise package managers. Files that are too large, broken
 * links and invalid JSON or TOML count as absent.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';

export type JsonTable = Readonly<Record<string, unknown>>;

export interface Folder {
  readonly path: string;
  has(name: string): boolean;
  /** Matching names, sorted. */
  names(pattern: RegExp): string[];
  text(name: string): Promise<string | null>;
  json(name: string): Promise<JsonTable | null>;
  toml(name: string): Promise<JsonTable | null>;
}

const LIMIT = 50_000_000;

export async function readFolder(path: string): Promise<Folder> {
  const names = (await readdir(path).catch(() => [] as string[])).sort();
  const known = new Set(names);
  const text = async (name: string): Promise<string | null> => {
    const file = join(path, name);
    const found = await stat(file).catch(() => null);
    return found?.isFile() && found.size <= LIMIT ? readFile(file, 'utf8') : null;
  };
  const parsed = async (name: string, read: (text: string) => unknown): Promise<JsonTable | null> => {
    const source = await text(name);
    if (source === null) return null;
    try {
      return tableIn(read(source));
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
  };
}

const tableIn = (value: unknown): JsonTable | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonTable) : null;

/** The table at this key path, or an empty one. */
export function tableAt(from: unknown, ...keys: readonly string[]): JsonTable {
  let at: unknown = from;
  for (const key of keys) at = tableIn(at)?.[key];
  return tableIn(at) ?? {};
}

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
