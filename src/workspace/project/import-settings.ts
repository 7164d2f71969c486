/**
 * Imports the settings of another tool, but only where the project still has the default, and only if they pass Dure's
 * validation.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ConfigName, configFiles } from '../../formats/config/config.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { replaceJson } from '../../formats/read-and-write-files.ts';
import type { Json } from '../../formats/schema/strict-json.ts';
import type { AddedSettings } from '../../index.ts';
import { readRawConfig } from './read-raw-config.ts';

type Tree = { [key: string]: Json };

export async function importSettings(
  project: ProjectFiles,
  name: ConfigName,
  values: Readonly<Record<string, unknown>>,
): Promise<AddedSettings> {
  const { value, skipped } = validPart(name, values as Tree);
  const current = await readRawConfig(project, name);
  const next = withImported(name, current, value);
  const changed = !isDeepStrictEqual(next, current);
  if (changed) await replaceJson(project.configOf(name), next);
  return { changed, skipped };
}

/** Returns the settings without those that Dure does not have or whose values it rejects. Pure. */
export function validPart(name: ConfigName, values: Tree): { value: Tree; skipped: string[] } {
  const value = structuredClone(values);
  const skipped: string[] = [];
  for (;;) {
    const parsed = configFiles[name].shape.safeParse(value);
    if (parsed.success) return { value, skipped };
    const [issue] = parsed.error.issues;
    const path = issue!.path.map(String);
    const wrong = issue!.code === 'unrecognized_keys' ? issue!.keys.map(key => [...path, key]) : [path];
    for (const one of wrong) {
      remove(value, one);
      skipped.push(one.join('.'));
    }
  }
}

/** Removes the value at a path, or a single item of a list. */
function remove(tree: Tree, path: readonly string[]): void {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce<Json>((at, key) => (at as Tree)[key] ?? null, tree);
  if (last === undefined || holder === null || typeof holder !== 'object')
    throw new RangeError(`no value at ${path.join('.')}`);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
}

/** Replaces the values that are still Dure's defaults with the imported ones. Pure. */
function withImported(name: ConfigName, current: Tree, imported: Tree): Tree {
  const defaults = configFiles[name].shape.parse({}) as Tree;
  const free = Object.entries(imported).filter(
    ([key]) => current[key] === undefined || isDeepStrictEqual(current[key], defaults[key]),
  );
  const filled = configFiles[name].shape.parse(Object.fromEntries(free)) as Tree;
  return { ...current, ...Object.fromEntries(free.map(([key]) => [key, filled[key]!])) };
}
