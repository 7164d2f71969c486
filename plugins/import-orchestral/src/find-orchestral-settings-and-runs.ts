/** Finds the settings and the runs that Orchestral left in a project. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from 'dure';
import { readJson } from './read-json.ts';

type ConfigFile = Exclude<keyof Config, 'plugins'>;

const FOLDER = '.orchestral';
const CONFIG: readonly ConfigFile[] = ['global', 'refiner', 'builder', 'verifier', 'gatekeeper'];

/** Orchestral's defaults. Settings with these values are not imported, because they would only mislead the user. */
const DEFAULTS: Readonly<Record<string, unknown>> = { web_port: 3000, tmux_session_prefix: 'orchestral' };

export interface Found {
  readonly settings: readonly { name: ConfigFile; shown: string; values: Record<string, unknown> }[];
  /** Run folders relative to the project, oldest first. */
  readonly runs: readonly string[];
  /** One line for each config file that cannot be read. */
  readonly problems: readonly string[];
}

/** All lists are empty if Orchestral was never used in this project. */
export async function findOrchestral(root: string): Promise<Found> {
  const settings: Found['settings'][number][] = [];
  const problems: string[] = [];
  const configs = await readdir(join(root, FOLDER, 'config')).catch(() => [] as string[]);
  for (const name of CONFIG.filter(one => configs.includes(`${one}.json`))) {
    const shown = `${FOLDER}/config/${name}.json`;
    const read = await readJson(join(root, shown));
    const isObject = read.value !== null && typeof read.value === 'object' && !Array.isArray(read.value);
    if (isObject)
      settings.push({ name, shown, values: customOf(name, read.value as Record<string, unknown>) });
    else problems.push(`${shown} was not imported: ${read.problem ?? 'expected an object'}`);
  }
  const runs = await readdir(join(root, FOLDER, 'runs'), { withFileTypes: true }).catch(() => []);
  return {
    settings,
    problems,
    runs: runs
      .filter(one => one.isDirectory() && one.name.startsWith('run-'))
      .map(one => `${FOLDER}/runs/${one.name}`)
      .sort(),
  };
}

const customOf = (name: ConfigFile, values: Record<string, unknown>) =>
  name === 'global'
    ? Object.fromEntries(Object.entries(values).filter(([key, value]) => DEFAULTS[key] !== value))
    : values;
