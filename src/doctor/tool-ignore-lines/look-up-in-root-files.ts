/** Looks up files, dependencies and tables in the configuration files at the root of a project. This module is pure. */
import { type JsonObject, parseJsonLine, tableAt } from '../../formats/schema/json-access.ts';

/** Content of the files by name. */
export type RootFiles = ReadonlyMap<string, string>;

/** Returns the parsed package.json, or an empty object when it is missing or invalid. */
export const packageOf = (files: RootFiles): JsonObject =>
  parseJsonLine(files.get('package.json')?.trim() ?? '') ?? {};

export const dependsOn = (files: RootFiles, name: string): boolean =>
  ['dependencies', 'devDependencies'].some(kind => Object.hasOwn(tableAt(packageOf(files), kind), name));

/** Finds the first existing file named `<stem>.<ending>`, in the order of `endings`; null if there is none. */
export const firstPresent = (files: RootFiles, stem: string, endings: readonly string[]): string | null =>
  endings.map(ending => `${stem}.${ending}`).find(name => files.has(name)) ?? null;
