/** Finds data from the predecessor, Orchestral, in a project. The original is never modified. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runIds } from '../core/run/run-store.ts';
import { CONFIG_NAMES, type ConfigName } from '../formats/config.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import { readOrigin } from './run-origin.ts';

export const ORCHESTRAL_DIR = '.orchestral';

export interface Predecessor {
  readonly dir: string;
  readonly config: readonly ConfigName[];
  /** Names of run folders that are not imported yet, oldest first. */
  readonly runs: readonly string[];
}

/** Null if it was never used here. */
export async function findPredecessor(project: ProjectFiles): Promise<Predecessor | null> {
  const dir = join(project.root, ORCHESTRAL_DIR);
  const [configs, runs] = [await names(join(dir, 'config')), await folders(join(dir, 'runs'))];
  if (!configs && !runs) return null;
  const known = await broughtBefore(project);
  return {
    dir,
    config: CONFIG_NAMES.filter(name => configs?.includes(`${name}.json`)),
    runs: (runs ?? []).filter(name => name.startsWith('run-') && !known.has(fromOf(name))).sort(),
  };
}

export const fromOf = (name: string): string => `${ORCHESTRAL_DIR}/runs/${name}`;

const names = (dir: string): Promise<string[] | null> => readdir(dir).catch(() => null);

const folders = (dir: string): Promise<string[] | null> =>
  readdir(dir, { withFileTypes: true }).then(
    found => found.filter(one => one.isDirectory()).map(one => one.name),
    () => null,
  );

async function broughtBefore(project: ProjectFiles): Promise<Set<string>> {
  const origins = await Promise.all(
    (await runIds(project)).map(id => readOrigin(runFiles(project.run(id))).catch(() => null)),
  );
  return new Set(origins.flatMap(origin => (origin ? [origin.from] : [])));
}
