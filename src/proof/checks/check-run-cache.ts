/**
 * Caches the executions of checks in Dure's state folder: those on base, which all iterations of a run and
 * often the next run share, and those made ahead of time (run-checks-ahead.ts).
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Check, checkMachine } from '../../formats/check-results.ts';
import type { WorkspaceJob } from '../../formats/checkout-setup-in-job.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { load, replaceJson } from '../../formats/read-and-write-files.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import { testCounts } from '../../formats/test-config-and-results.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import type { Side } from './compare-with-base.ts';
import type { RanCheck } from './run-check.ts';

/** The fields of an execution that are cached. Others, such as how its tests failed, are not. */
const kept = z.array(
  z.object({
    machine: checkMachine,
    problem: z.string().nullable(),
    doubtful: z.boolean(),
    tests: z.array(z.object({ name: z.string(), status: z.enum(['passed', 'failed', 'skipped']) })),
    counts: testCounts.nullable(),
    log: z.string(),
    duration_ms: z.number(),
  }),
);
const checkRunsFile = defineFile(
  'check-runs/*.json',
  'Results of running one check on one tree, in order.',
  kept,
);
const LIMIT = 64_000_000;

/** Everything that the outcome depends on, besides the Node version and the platform. */
export interface CheckRunsOf {
  /** Executions on the result are never reused for base, even if the next run starts from the same tree. */
  readonly side: Side;
  readonly tree: string;
  readonly check: Check;
  readonly workspace: WorkspaceJob;
  /** Folders on PATH. */
  readonly tools: readonly string[];
  readonly version: string;
}

export const readCheckRuns = async (of: CheckRunsOf): Promise<RanCheck[]> =>
  (await load(checkRunsFile, fileOf(of), LIMIT).catch(unlessDiskFails(null))) ?? [];

export async function keepCheckRuns(of: CheckRunsOf, runs: readonly RanCheck[]): Promise<void> {
  if (!isWorthKeeping(of.side, runs)) return;
  const file = fileOf(of);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceJson(file, kept.parse(runs));
}

/**
 * Whether executions of a check may be cached. A check that could not run, or that reported tests of which none passed,
 * is not cached: the cause may be temporary, such as a package that could not be downloaded. A failure on base or with
 * restored tests would excuse one on the result, so it is cached only if it happened twice in the same way.
 */
export const isWorthKeeping = (side: Side, runs: readonly RanCheck[]): boolean =>
  runs.every(hasRun) && (side === 'result' || runs.every(isGreen) || haveSameOutcome(runs));

const hasRun = ({ machine, tests }: RanCheck): boolean =>
  machine !== 'could-not-run' && (tests.length === 0 || tests.some(test => test.status === 'passed'));

const isGreen = ({ machine, doubtful }: RanCheck): boolean => machine === 'pass' && !doubtful;

const haveSameOutcome = ([run, again]: readonly RanCheck[]): boolean =>
  again !== undefined && isDeepStrictEqual(outcomeOf(run!), outcomeOf(again));

const outcomeOf = ({ machine, tests }: RanCheck) => ({
  machine,
  passed: new Set(tests.flatMap(({ name, status }) => (status === 'passed' ? [name] : []))),
});

function fileOf({ side, tree, check, workspace, tools, version }: CheckRunsOf): string {
  const { setup, directory, copy, network, repository, state } = workspace;
  const key = JSON.stringify([
    ...[side, tree, check, setup, directory, copy, network, repository.prefix, tools],
    ...[process.version, process.platform, process.arch, version],
  ]);
  return join(state, 'check-runs', `${sha256(key).slice(0, 32)}.json`);
}
