/** The configuration files at the root of a project, in which tools find their settings. This module is pure. */
import type { JsonTable } from '../../workspace/dependencies/read-folder.ts';

/** Content of the files by name. */
export type RootFiles = ReadonlyMap<string, string>;

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
