/**
 * Resolves the three commits on which a job's checks run (the result, base, and the result with the tests from base)
 * and executes a check on one of them.
 */
import { join } from 'node:path';
import type { Check } from '../../formats/check-results.ts';
import type { ChecksJob } from '../../formats/launch-jobs.ts';
import { findSandbox } from '../../process/sandbox/find-sandbox.ts';
import { pathWithoutRepository } from '../../process/sandbox/path-without-repository.ts';
import { treeAt } from '../../workspace/git/tree-of-commit.ts';
import { sharedCheckouts } from '../reuse-checkouts.ts';
import { changedInputs } from './changed-check-inputs.ts';
import { type CheckRunsOf, readCheckRuns } from './check-run-cache.ts';
import type { CheckRuns, Side } from './compare-with-base.ts';
import { type RanCheck, runCheck } from './run-check.ts';

export interface ChecksOf {
  readonly runDir: string;
  readonly launch: number;
  /** Dure's version, which determines how a check runs and how its output is read. */
  readonly version: string;
  readonly job: ChecksJob;
  /** The environment of the user who started Dure. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly echo: (chunk: Buffer) => void;
}

export type RunsBySide = Record<Side, RanCheck[]>;

export interface CheckedResult {
  /** Paths of files that checks read and that differ from base. */
  readonly changed: readonly string[];
  /** What `compare` needs to know besides the executions. */
  readonly inputs: Pick<CheckRuns, 'inputsChanged' | 'restorable'>;
  /** Where a check's executions on one side are cached. */
  runsOf(side: Side, check: Check): CheckRunsOf;
  /** A check's cached executions. */
  known(check: Check): Promise<RunsBySide>;
  /**
   * Executes a check, or only logs its cached execution. If the set-up fails, the check counts as one that could not
   * run.
   */
  run(side: Side, check: Check, cached?: RanCheck): Promise<RanCheck>;
}

/** `write` receives the log; live output goes to `of.echo`. */
export async function openResult(of: ChecksOf, write: (text: string) => void): Promise<CheckedResult> {
  const { job, runDir, launch, version, env, signal, echo } = of;
  const { workspace } = job;
  const { repository } = workspace;
  const directory = join(repository.prefix, workspace.directory);
  const commands = job.checks.map(check => check.command);
  const found = await changedInputs(repository, job.base, job.commit, commands, directory);
  const restored = found.restored ?? job.commit;
  const commits: Record<Side, string> = { result: job.commit, base: job.base, restored };
  const trees: Record<Side, string> = {
    result: job.tree,
    base: job.base_tree,
    restored: await treeAt(repository, restored),
  };
  const tools = await pathWithoutRepository(env['PATH'], repository.workTree);
  const log = (text: string) => {
    write(text);
    echo(Buffer.from(text));
  };
  const checkouts = sharedCheckouts({
    workspace,
    runDir,
    launch,
    env,
    onOutput: chunk => log(chunk.toString()),
  });
  const runsOf = (side: Side, check: Check): CheckRunsOf => ({
    side,
    tree: trees[side],
    check,
    workspace,
    tools,
    version,
  });
  const execute = async (side: Side, check: Check): Promise<RanCheck> => {
    const { place, confinement, problem } = await checkouts.prepare(side, commits[side], signal);
    return problem !== null
      ? unprepared(problem)
      : runCheck({ check, place, env, signal, echo, confinement, sandbox: await findSandbox(env) });
  };
  return {
    changed: found.paths,
    inputs: { inputsChanged: found.changed, restorable: found.restored !== null },
    runsOf,
    async known(check) {
      const [result, base, restored] = await Promise.all(
        (['result', 'base', 'restored'] as const).map(side => readCheckRuns(runsOf(side, check))),
      );
      return { result: result!, base: base!, restored: restored! };
    },
    async run(side, check, cached) {
      log(`\n── ${check.name}, on ${SIDES[side]} ──\n$ ${check.command}\n`);
      const ran = cached ?? (await execute(side, check));
      write(ran.log);
      log(`${endingOf(ran)}${cached ? '(executed earlier)\n' : ''}`);
      return ran;
    },
  };
}

const SIDES: Record<Side, string> = {
  result: 'the result',
  base: 'base',
  restored: 'the result with the tests and settings of base',
};

function endingOf({ problem, machine, counts, duration_ms }: RanCheck): string {
  const numbers = counts ? `, ${counts.passed} passed, ${counts.failed} failed` : '';
  return `\n── ${problem ?? machine}${numbers}, after ${(duration_ms / 1000).toFixed(1)} s ──\n`;
}

const unprepared = (problem: string): RanCheck => ({
  machine: 'could-not-run',
  problem: `the set-up of the checkout failed: ${problem}`,
  doubtful: false,
  tests: [],
  counts: null,
  log: '',
  duration_ms: 0,
});
