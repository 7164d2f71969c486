/** Imports the predecessor's data. Idempotent; continues an interrupted import. */
import type { ConfigName } from '../formats/config.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { bringConfig } from './convert-config.ts';
import type { Predecessor } from './find-orchestral.ts';
import { type BroughtRun, bringRun } from './import-run.ts';

export interface Brought {
  readonly config: readonly ConfigName[];
  /** Ids of the runs, oldest first. */
  readonly runs: readonly string[];
  readonly decisions: number;
  /** One line for each thing that could not be imported unchanged. */
  readonly notes: readonly string[];
}

export async function bring(
  project: ProjectFiles,
  found: Predecessor,
  plugins: readonly string[],
): Promise<Brought> {
  const { changed, notes } = await bringConfig(project, found, plugins);
  const runs: BroughtRun[] = [];
  for (const name of found.runs) runs.push(await bringRun(project, name, new Date()));
  return {
    config: changed,
    runs: runs.map(run => run.id),
    decisions: runs.reduce((sum, run) => sum + run.decisions, 0),
    notes: [...notes, ...runs.flatMap(({ origin }) => origin.left.map(line => `${origin.from}/${line}`))],
  };
}
