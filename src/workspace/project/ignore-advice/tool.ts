/** Common types and helpers of the modules that tell the user how to make a tool ignore `.dure/`. */

import type { JsonTable } from '../../dependencies/read-folder.ts';

/** Content of the tools' configuration files at the root, by name. */
export type RootFiles = ReadonlyMap<string, string>;

/** The tool needs no change. */
export interface Covered {
  readonly tool: string;
  readonly is: 'covered';
  readonly file: string;
  readonly why: string;
}

/** The user should add this to the file, or create the file with it. */
export interface Needed {
  readonly tool: string;
  readonly is: 'needed';
  readonly file: string;
  readonly add: string;
}

/** Null when the tool is not used here. */
export type Tool = (files: RootFiles) => Covered | Needed | null;

/** The parsed package.json, or an empty object when it is missing or invalid. */
export function packageOf(files: RootFiles): JsonTable {
  try {
    const read: unknown = JSON.parse(files.get('package.json') ?? '{}');
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as JsonTable) : {};
  } catch {
    return {};
  }
}

export const dependsOn = (files: RootFiles, name: string): boolean =>
  ['dependencies', 'devDependencies'].some(kind => {
    const listed = packageOf(files)[kind];
    return typeof listed === 'object' && listed !== null && Object.hasOwn(listed, name);
  });

/** The first of these files that exists. */
export const firstPresent = (files: RootFiles, stem: string, endings: readonly string[]): string | null =>
  endings.map(ending => `${stem}.${ending}`).find(name => files.has(name)) ?? null;

/** Assumes that a configuration that mentions the folder excludes it. */
const namesDure = (text: string | undefined): boolean => /\.dure\b/.test(text ?? '');

/** True when an ignore file excludes the folder, or all dot folders. */
export const ignores = (text: string | undefined): boolean =>
  (text ?? '')
    .split(/\r?\n/)
    .some(line => /^\/?\.dure(\/(\*\*?)?)?$/.test(line.trim()) || ['.*', '/.*'].includes(line.trim()));

/** The file needs `add` unless it already mentions the folder. */
export const unlessNamed = (
  tool: string,
  file: string,
  text: string | undefined,
  add: string,
): Covered | Needed =>
  namesDure(text) ? { tool, is: 'covered', file, why: 'it names .dure' } : { tool, is: 'needed', file, add };

/** Matches a path segment against a pattern segment with `*` and `?`. */
export const matchesSegment = (name: string, segment: string): boolean =>
  new RegExp(
    `^${segment
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(name);
