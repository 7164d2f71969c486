/**
 * Compares the outcomes of one check on the result and on base. This module is pure. A regression is
 * something that passes twice on base and fails twice on the result; a test whose outcome varies is flaky,
 * not a regression. Named tests are compared one by one; the exit code applies to the whole command. The
 * check runs on base only if the result alone does not settle the outcome.
 */
import type { CheckResult } from '../../formats/check-results.ts';
import type { TestCase } from '../test-results.ts';

/** One execution of a check on a tree. */
export interface CheckRun {
  readonly machine: 'pass' | 'fail' | 'could-not-run';
  /** Why the check could not run. */
  readonly problem: string | null;
  /** Whether some tests may not have run: no test is named, or the report is truncated. */
  readonly doubtful: boolean;
  /** Empty when the command names no tests. */
  readonly tests: readonly TestCase[];
  /** Counts reported by the command, even when it names no tests. */
  readonly counts?: { readonly failed: number } | null;
}

export interface CheckRuns {
  readonly result: readonly CheckRun[];
  readonly base: readonly CheckRun[];
  /** Executions on the result with the test files and settings restored from base. */
  readonly restored: readonly CheckRun[];
  /** Whether tests may have been changed or removed. If so, passing on the result alone is not enough. */
  readonly inputsChanged: boolean;
  /** Whether the changed test files and settings can be restored. */
  readonly restorable: boolean;
}
export type Side = 'result' | 'base' | 'restored';

/** `flaky`: tests whose outcome differed between two executions on the same tree. */
export type Comparison = Pick<CheckResult, 'status' | 'regressions' | 'flaky' | 'overridden'>;
type Regression = Comparison['regressions'][number];

/** Returns the side on which to run the check next, or the comparison when it is complete. */
export function compare(runs: CheckRuns): { readonly next: Side } | { readonly comparison: Comparison } {
  const [result, again] = runs.result;
  const [base, baseAgain] = runs.base;
  if (!result) return { next: 'result' };
  if (result.machine === 'pass' && !result.doubtful && !runs.inputsChanged) return { comparison: PASSED };
  if (!base) return { next: 'base' };
  const [restored, restoredAgain] = runs.restored;
  if (runs.restorable && !restored) return { next: 'restored' };

  const candidates = differences(base, result, restored);
  if (candidates.length > 0 && !again) return { next: 'result' };
  const repeated = again ? both(candidates, differences(base, again, restored)) : [];
  const restoredDifferences = restored ? differences(base, restored) : [];
  if (restoredDifferences.length > 0 && !restoredAgain) return { next: 'restored' };
  const overridden = restoredAgain ? both(restoredDifferences, differences(base, restoredAgain)) : [];
  const failedTwice = again !== undefined && result.machine !== 'pass' && again.machine !== 'pass';
  const failsOnlyOnResult = failedTwice && base.machine === 'pass';
  if ((failsOnlyOnResult || repeated.length + overridden.length > 0) && !baseAgain) return { next: 'base' };

  const unstable = new Set(baseAgain ? differences(base, baseAgain).map(each => each.test) : []);
  const stable = (found: readonly Regression[]) => found.filter(each => !unstable.has(each.test));
  const named = stable(repeated);
  // If different tests failed each time, no single test is certain to be a regression, but the command failed
  // twice and passes on base.
  const wholeCommand: Regression[] =
    (failsOnlyOnResult && baseAgain?.machine === 'pass') || failsMore(runs, unstable.size)
      ? [{ test: null, how: 'fails' }]
      : [];
  const regressions = named.length > 0 ? named : wholeCommand;
  const confirmed = new Set([...named, ...stable(overridden)].map(each => each.test));
  const once = [
    ...candidates,
    ...(again ? differences(base, again, restored) : []),
    ...restoredDifferences,
  ].filter(each => !confirmed.has(each.test));
  return {
    comparison: {
      status: statusOf(regressions, result.machine === 'pass' ? result : (again ?? result), base),
      regressions,
      flaky: [...new Set(once.map(each => each.test ?? WHOLE_COMMAND))],
      overridden: stable(overridden).filter(each => !regressions.some(other => other.test === each.test)),
    },
  };
}

const WHOLE_COMMAND = 'the command as a whole';

const PASSED: Comparison = { status: 'pass', regressions: [], flaky: [], overridden: [] };

function statusOf(
  regressions: readonly Regression[],
  result: CheckRun,
  base: CheckRun,
): Comparison['status'] {
  if (regressions.length > 0) return 'regression';
  if (result.machine === 'pass') return 'pass';
  return result.machine === 'could-not-run' && base.machine === 'could-not-run'
    ? 'could-not-run'
    : 'red-on-base';
}

/**
 * Whether every execution on the result has more failures than any on base. False unless most test names differ between
 * two executions on base, for example because they contain the path of a temporary folder.
 */
function failsMore({ result, base }: CheckRuns, unstable: number): boolean {
  if (result.length < 2 || base.length < 2 || 2 * unstable <= passed(base[0]!).length) return false;
  return Math.min(...result.map(failures)) > Math.max(...base.map(failures));
}

const failures = ({ counts, tests }: CheckRun): number =>
  counts?.failed ?? tests.filter(test => test.status === 'failed').length;

const passed = (run: CheckRun) => run.tests.filter(test => test.status === 'passed');

/**
 * Finds everything that passes on `base` but not on `result`. A test that is missing or skipped on `result` is left out
 * if it passes once the test files are restored.
 */
function differences(base: CheckRun, result: CheckRun, restored?: CheckRun): Regression[] {
  if (result.machine === 'could-not-run' && base.machine !== 'could-not-run')
    return [{ test: null, how: 'could-not-run' }];
  const named = base.tests.length > 0 && result.tests.length > 0;
  const found = (named ? testByTest(base, result) : []).filter(
    each => !(restored && isGone(each) && passes(restored, each.test!)),
  );
  if (found.length > 0) return found;
  // Possible causes of a failure that no test from base explains: a linter in the same command, a failing new test, or
  // a removed test suite.
  if (base.machine === 'pass' && result.machine === 'fail') return [{ test: null, how: 'fails' }];
  if (passed(base).length > 0 && result.tests.length === 0) return [{ test: null, how: 'missing' }];
  // Both the result and the base fail without naming tests, so only the number of failures can be compared.
  const more = (result.counts?.failed ?? 0) > (base.counts?.failed ?? Number.POSITIVE_INFINITY);
  return !named && more ? [{ test: null, how: 'fails' }] : [];
}

function testByTest(base: CheckRun, result: CheckRun): Regression[] {
  const now = new Map(result.tests.map(test => [test.name, test.status]));
  return passed(base).flatMap(({ name }): Regression[] => {
    const status = now.get(name);
    if (status === 'passed') return [];
    return [
      { test: name, how: status === 'failed' ? 'fails' : status === 'skipped' ? 'skipped' : 'missing' },
    ];
  });
}

const isGone = ({ test, how }: Regression): boolean =>
  test !== null && (how === 'missing' || how === 'skipped');

const passes = (run: CheckRun, test: string): boolean =>
  run.tests.some(each => each.name === test && each.status === 'passed');

/** Returns the differences found in both executions. One that could not run counts as having every difference. */
function both(first: Regression[], second: Regression[]): Regression[] {
  if (first.some(couldNotRun)) return second;
  if (second.some(couldNotRun)) return first;
  const names = new Set(second.map(each => each.test));
  return first.filter(each => names.has(each.test));
}

const couldNotRun = ({ how }: Regression): boolean => how === 'could-not-run';
