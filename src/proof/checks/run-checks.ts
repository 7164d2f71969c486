/**
 * Runs the project's own checks on one sealed result. Each check runs as often as the comparison needs, on the result, on
 * base, and on the result with the tests of base. No check sees files that another one wrote, see checkouts.ts.
 */
import type { Check, CheckResult, ChecksOutput } from '../../formats/checks.ts';
import type { WorkspaceJob } from '../../formats/workspace-job.ts';
import { findSandbox } from '../../process/sandbox.ts';
import { toolPath } from '../../process/tool-path.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { type BaseOf, type BaseRun, keepBaseRuns, readBaseRuns } from './base-runs.ts';
import { changedInputs } from './changed-inputs.ts';
import { sharedCheckouts } from './checkouts.ts';
import { type CheckRuns, type Comparison, compare, type Side } from './compare.ts';
import { type RanCheck, runCheck } from './run-check.ts';

export interface ChecksJob {
  readonly checks: readonly Check[];
  /** The sealed result. */
  readonly commit: string;
  readonly tree: string;
  readonly base: string;
  readonly base_tree: string;
  readonly workspace: WorkspaceJob;
}

export interface ChecksOf {
  readonly runDir: string;
  readonly launch: number;
  readonly job: ChecksJob;
  /** The environment of the person who started Dure. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly echo: (chunk: Buffer) => void;
}

/** `log` contains the output of every check, with a heading for each. */
export async function runChecks(of: ChecksOf): Promise<{ output: ChecksOutput; log: string }> {
  const { job, runDir } = of;
  const { workspace } = job;
  const started = performance.now();
  const log: string[] = [];
  const write = (text: string) => log.push(text);
  const say = (text: string) => {
    write(text);
    of.echo(Buffer.from(text));
  };
  try {
    const prefix = `${workspace.repository.prefix}${workspace.directory}/`
      .replace(/(?:^|\/)\.\/$/, '/')
      .replace(/^\/+/, '');
    const commands = job.checks.map(check => check.command);
    const inputs = await changedInputs(workspace.repository, job.base, job.commit, commands, prefix);
    const commits: Record<Side, string> = {
      result: job.commit,
      base: job.base,
      restored: inputs.restored ?? job.commit,
    };
    const run = runner(of, commits, say, write);
    const checks: CheckResult[] = [];
    for (const check of job.checks) checks.push(await checked(of, check, inputs, run));
    const output: ChecksOutput = {
      executed_at: new Date().toISOString(),
      duration_ms: Math.round(performance.now() - started),
      tree: job.tree,
      base_tree: job.base_tree,
      changed: [...inputs.paths],
      checks,
    };
    return { output, log: log.join('') };
  } finally {
    await removeCheckouts(workspace.state, runDir);
  }
}

type Run = (side: Side, check: Check) => Promise<BaseRun>;

async function checked(
  { job, env }: ChecksOf,
  check: Check,
  inputs: { readonly changed: boolean; readonly restored: string | null },
  run: Run,
): Promise<CheckResult> {
  const started = performance.now();
  const tools = await toolPath(env['PATH'], job.workspace.repository.workTree);
  const baseOf: BaseOf = { tree: job.base_tree, check, workspace: job.workspace, tools };
  const runs: Record<Side, BaseRun[]> = { result: [], base: [], restored: [] };
  const known = await readBaseRuns(baseOf);
  for (;;) {
    const seen: CheckRuns = { ...runs, inputsChanged: inputs.changed, restorable: inputs.restored !== null };
    const found = compare(seen);
    if ('comparison' in found) {
      if (runs.base.length > known.length) await keepBaseRuns(baseOf, runs.base);
      return resultOf(check, runs, found.comparison, Math.round(performance.now() - started));
    }
    const side = found.next;
    const n = runs[side].length;
    const made = side === 'base' ? known[n] : undefined;
    runs[side].push(made ?? (await run(side, check)));
  }
}

/** Returns a function that runs one check. When the set-up fails, the check could not run. */
function runner(
  of: ChecksOf,
  commits: Record<Side, string>,
  say: (text: string) => void,
  write: (text: string) => void,
): Run {
  const { job, runDir, launch, env, signal, echo } = of;
  const checkoutOf = sharedCheckouts({
    ...{ workspace: job.workspace, runDir, launch, env, signal },
    onOutput: chunk => say(chunk.toString()),
  });
  return async (side, check) => {
    say(`\n── ${check.name}, on ${SIDES[side]} ──\n$ ${check.command}\n`);
    const { place, confinement, problem } = await checkoutOf(side, commits[side]);
    const ran: RanCheck =
      problem !== null
        ? unprepared(problem)
        : await runCheck({
            ...{ check, place, env, signal, echo },
            sandbox: await findSandbox(env),
            confinement,
          });
    const counts = ran.counts ? `, ${ran.counts.passed} passed, ${ran.counts.failed} failed` : '';
    write(ran.log);
    say(`\n── ${ran.problem ?? ran.machine}${counts}, after ${(ran.duration_ms / 1000).toFixed(1)} s ──\n`);
    return ran;
  };
}

const SIDES: Record<Side, string> = {
  result: 'the result',
  base: 'base',
  restored: 'the result with the tests and settings of base',
};

const unprepared = (problem: string): RanCheck => ({
  machine: 'could-not-run',
  problem: `the set-up of the checkout failed: ${problem}`,
  doubtful: false,
  tests: [],
  counts: null,
  log: '',
  duration_ms: 0,
});

/** Maximum length of each list. The counts next to the lists are complete. */
const MOST_NAMED = 500;

function resultOf(
  { name, command, timeout_ms }: Check,
  runs: Record<Side, readonly BaseRun[]>,
  { status, regressions, overridden, flaky }: Comparison,
  duration_ms: number,
): CheckResult {
  const result = runs.result.at(-1)!;
  const [base] = runs.base;
  const limit = result.problem?.includes('time limit') ? ` of ${Math.round(timeout_ms / 1000)} s` : '';
  return {
    name,
    command,
    status,
    problem: result.problem && `${result.problem}${limit}`,
    counts: result.counts,
    base: base ? { machine: base.machine, counts: base.counts } : null,
    regressions: regressions.slice(0, MOST_NAMED).map(each => ({ ...each })),
    regression_count: regressions.length,
    overridden: overridden.slice(0, MOST_NAMED).map(each => ({ ...each })),
    overridden_count: overridden.length,
    flaky: flaky.slice(0, MOST_NAMED),
    duration_ms,
  };
}
