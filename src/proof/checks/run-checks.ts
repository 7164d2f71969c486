/**
 * Runs the project's own checks on one sealed result. Each check runs as often as the comparison needs: on the result,
 * on base, and on the result with the tests from base. No check sees files that another one wrote (see
 * reuse-checkouts.ts). Cached executions are used first (see check-run-cache.ts).
 */
import type { Check, CheckResult, ChecksOutput } from '../../formats/check-results.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { isWorthKeeping, keepCheckRuns } from './check-run-cache.ts';
import { type Comparison, compare, type Side } from './compare-with-base.ts';
import type { RanCheck } from './run-check.ts';
import { type CheckedResult, type ChecksOf, openResult, type RunsBySide } from './run-check-on-commit.ts';

/** `log` contains the output of every check, with a heading for each. */
export async function runChecks(of: ChecksOf): Promise<{ output: ChecksOutput; log: string }> {
  const { job, runDir } = of;
  const started = performance.now();
  const log: string[] = [];
  try {
    const result = await openResult(of, text => log.push(text));
    const checks: CheckResult[] = [];
    for (const check of job.checks) checks.push(await checked(check, result));
    const output: ChecksOutput = {
      executed_at: new Date().toISOString(),
      duration_ms: Math.round(performance.now() - started),
      tree: job.tree,
      base_tree: job.base_tree,
      changed: [...result.changed],
      checks,
    };
    return { output, log: log.join('') };
  } finally {
    await removeCheckouts(job.workspace.state, runDir);
  }
}

async function checked(check: Check, result: CheckedResult): Promise<CheckResult> {
  const runs: RunsBySide = { result: [], base: [], restored: [] };
  const known = await result.known(check);
  for (;;) {
    const found = compare({ ...runs, ...result.inputs });
    if ('comparison' in found && !isKeptIfRepeated(runs.base)) {
      if (runs.base.length > known.base.length) await keepCheckRuns(result.runsOf('base', check), runs.base);
      return resultOf(check, runs, found.comparison);
    }
    const side = 'next' in found ? found.next : 'base';
    runs[side].push(await result.run(side, check, known[side][runs[side].length]));
  }
}

/** Whether an execution on base can be cached only if a second one has the same outcome. */
const isKeptIfRepeated = (base: readonly RanCheck[]): boolean =>
  base.length === 1 && !isWorthKeeping('base', base) && isWorthKeeping('base', [...base, ...base]);

/** Maximum length of each list. The counts next to the lists still include everything. */
const MAX_NAMED = 500;

function resultOf(
  { name, command, timeout_ms }: Check,
  runs: Record<Side, readonly RanCheck[]>,
  { status, regressions, overridden, flaky }: Comparison,
): CheckResult {
  const result = runs.result.at(-1)!;
  const [base] = runs.base;
  const all = Object.values(runs).flat();
  const limit = result.problem?.includes('time limit') ? ` of ${Math.round(timeout_ms / 1000)} s` : '';
  return {
    name,
    command,
    status,
    problem: result.problem && `${result.problem}${limit}`,
    counts: result.counts,
    base: base ? { machine: base.machine, counts: base.counts } : null,
    regressions: regressions.slice(0, MAX_NAMED),
    regression_count: regressions.length,
    overridden: overridden.slice(0, MAX_NAMED),
    overridden_count: overridden.length,
    flaky: flaky.slice(0, MAX_NAMED),
    ...(flaky.length > MAX_NAMED && { flaky_count: flaky.length }),
    duration_ms: all.reduce((sum, run) => sum + run.duration_ms, 0),
  };
}
