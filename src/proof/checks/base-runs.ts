/**
 * Caches the outcome of checks on base in Dure's state folder, because base is the same for every result of a run and
 * often for the next run. A check that could not run is not cached: its cause may be temporary.
 */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Check } from '../../formats/checks.ts';
import { defineFile } from '../../formats/define.ts';
import { load, replaceJson } from '../../formats/file.ts';
import { testCounts } from '../../formats/tests.ts';
import type { WorkspaceJob } from '../../formats/workspace-job.ts';
import type { RanCheck } from './run-check.ts';

const kept = z.array(
  z.strictObject({
    machine: z.enum(['pass', 'fail', 'could-not-run']),
    problem: z.string().nullable(),
    doubtful: z.boolean(),
    tests: z.array(z.strictObject({ name: z.string(), status: z.enum(['passed', 'failed', 'skipped']) })),
    counts: testCounts.nullable(),
    duration_ms: z.number(),
  }),
);
const baseRunsFile = defineFile('base-runs/*.json', 'Outcomes of one check on one tree.', kept);
const LIMIT = 64_000_000;

/** Everything that the outcome depends on, besides the versions of Node and the platform. */
export interface BaseOf {
  readonly tree: string;
  readonly check: Check;
  readonly workspace: WorkspaceJob;
  /** Folders of PATH. */
  readonly tools: readonly string[];
}

export type BaseRun = Omit<RanCheck, 'log'>;

export const readBaseRuns = async (of: BaseOf): Promise<BaseRun[]> =>
  (await load(baseRunsFile, fileOf(of), LIMIT).catch(() => null)) ?? [];

export async function keepBaseRuns(of: BaseOf, runs: readonly BaseRun[]): Promise<void> {
  if (runs.some(run => run.machine === 'could-not-run')) return;
  const plain = runs.map(({ machine, problem, doubtful, tests, counts, duration_ms }) => ({
    ...{ machine, problem, doubtful, tests, counts, duration_ms },
  }));
  const file = fileOf(of);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceJson(file, plain);
}

function fileOf({ tree, check, workspace, tools }: BaseOf): string {
  const { setup, directory, copy, network, repository, state } = workspace;
  const key = JSON.stringify([
    ...[tree, check, setup, directory, copy, network, repository.prefix, tools],
    ...[process.version, process.platform, process.arch],
  ]);
  return join(state, 'base-runs', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
}
