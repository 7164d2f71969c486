/**
 * Converts the predecessor's settings. The result passes Dure's validation, keeps the user's settings in Dure, and
 * lists what could not be converted.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ConfigName, configFiles } from '../formats/config.ts';
import { readText } from '../formats/file.ts';
import { type Json, parseJson } from '../formats/json.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readWritten, replaceConfig } from '../workspace/project/config.ts';
import { ORCHESTRAL_DIR, type Predecessor } from './find-orchestral.ts';

type Tree = { [key: string]: Json };

/** Defaults of the predecessor that would only mislead. */
const ITS_OWN: Readonly<Record<string, Json>> = { web_port: 3000, tmux_session_prefix: 'orchestral' };

export interface TakenOver {
  readonly value: Tree;
  /** Keys that Dure does not have, or whose value it rejects. */
  readonly left: readonly string[];
}

/** Pure. */
export function takenOver(name: ConfigName, old: Tree): TakenOver {
  const value = structuredClone(old);
  const left: string[] = [];
  if (name === 'global')
    for (const [key, its] of Object.entries(ITS_OWN)) if (value[key] === its) delete value[key];
  for (;;) {
    const parsed = configFiles[name].shape.safeParse(value);
    if (parsed.success) return { value, left };
    const [issue] = parsed.error.issues;
    const path = issue!.path.map(String);
    const wrong = issue!.code === 'unrecognized_keys' ? issue!.keys.map(key => [...path, key]) : [path];
    for (const one of wrong) {
      without(value, one);
      left.push(one.join('.'));
    }
  }
}

/** Removes the value at a path, or a single item of a list. */
function without(tree: Tree, path: readonly string[]): void {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce<Json>((at, key) => (at as Tree)[key] ?? null, tree);
  if (last === undefined || holder === null || typeof holder !== 'object')
    throw new RangeError(`nothing stands at ${path.join('.')}`);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
}

/** Replaces Dure's default values with the predecessor's. This function is pure. */
export function joined(name: ConfigName, current: Tree, old: Tree): Tree {
  const defaults = configFiles[name].shape.parse({}) as Tree;
  const free = Object.entries(old).filter(
    ([key]) => current[key] === undefined || isDeepStrictEqual(current[key], defaults[key]),
  );
  const filled = configFiles[name].shape.parse({ ...current, ...Object.fromEntries(free) }) as Tree;
  return { ...current, ...Object.fromEntries(free.map(([key]) => [key, filled[key]!])) };
}

export interface BroughtConfig {
  readonly changed: ConfigName[];
  /** One line for each setting that was not imported. */
  readonly notes: string[];
}

export async function bringConfig(
  project: ProjectFiles,
  { dir, config }: Predecessor,
  plugins: readonly string[],
): Promise<BroughtConfig> {
  const changed: ConfigName[] = [];
  const notes: string[] = [];
  for (const name of config) {
    const shown = `${ORCHESTRAL_DIR}/config/${name}.json`;
    const old = await read(join(dir, 'config', `${name}.json`));
    if (typeof old === 'string') {
      notes.push(`${shown} was left out: ${old}`);
      continue;
    }
    const { value, left } = takenOver(name, old);
    for (const key of left) notes.push(`${shown}: ${key} was left out, Dure has no such setting or value`);
    const current = await readWritten(project, name);
    const next = joined(name, current, value);
    if (isDeepStrictEqual(next, current)) continue;
    await replaceConfig(project, name, next, plugins);
    changed.push(name);
  }
  return { changed, notes };
}

/** The object, or the problem with the file. */
async function read(file: string): Promise<Tree | string> {
  try {
    const value = parseJson((await readText(file)) ?? '{}');
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? value
      : 'expected an object';
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return error.message;
    throw error;
  }
}
