/**
 * What the runs of one check say of a result. Pure. A regression passes twice on base and fails twice on the result: what
 * differs from run to run is flaky and held against nobody. Tests are compared one by one where they are named; the exit
 * code speaks only for the command as a whole. Base is asked only when the result alone does not answer.
 */
import type { TestCase } from '../report.ts';

/** One run of a check in one tree. */
export interface CheckRun {
  readonly machine: 'pass' | 'fail' | 'could-not-run';
  /** Why it could not run. */
  readonly problem: string | null;
  /** It passed, but not all of its tests may have run: none is named, or the report is cut. */
  readonly doubtful: boolean;
  /** Empty where the command names no tests. */
  readonly tests: readonly TestCase[];
}

export interface Runs {
  readonly result: readonly CheckRun[];
  readonly base: readonly CheckRun[];
  /** The result with the test files and settings of base put back. */
  readonly restored: readonly CheckRun[];
  /** Tests may have been changed or removed, and a result that passes says little. */
  readonly inputsChanged: boolean;
  /** What was changed can be put back. */
  readonly restorable: boolean;
}
export type Side = 'result' | 'base' | 'restored';

export interface Regression {
  /** Null: the command as a whole. */
  readonly test: string | null;
  readonly how: 'fails' | 'missing' | 'skipped' | 'could-not-run';
}

export interface Comparison {
  /** `red-on-base`: it fails, but nothing fails that passes on base. */
  readonly status: 'pass' | 'regression' | 'red-on-base' | 'could-not-run';
  readonly regressions: readonly Regression[];
  /** Tests that passed in one run and not in the other, on the same tree. */
  readonly flaky: readonly string[];
  /** Tests of base that fail on the result, and were changed or removed. */
  readonly overridden: readonly Regression[];
  /** How many tests passed on base. */
  readonly passed_on_base: number | null;
}

/** The run that has to come next, or what is known when none is needed any more. */
export function compare(runs: Runs): { readonly next: Side } | { readonly comparison: Comparison } {
  const [result, again] = runs.result;
  const [base, baseAgain] = runs.base;
  if (!result) return { next: 'result' };
  if (result.machine === 'pass' && !result.doubtful && !runs.inputsChanged) return { comparison: PASSED };
  if (!base) return { next: 'base' };
  const [restored, restoredAgain] = runs.restored;
  if (runs.restorable && !restored) return { next: 'restored' };

  const suspects = differences(base, result, restored);
  if (suspects.length > 0 && !again) return { next: 'result' };
  const repeated = again ? both(suspects, differences(base, again, restored)) : [];
  const against = restored ? differences(base, restored) : [];
  if (against.length > 0 && !restoredAgain) return { next: 'restored' };
  const overridden = restoredAgain ? both(against, differences(base, restoredAgain)) : [];
  const redTwice = again !== undefined && result.machine !== 'pass' && again.machine !== 'pass';
  const onlyHere = redTwice && base.machine === 'pass';
  if ((onlyHere || repeated.length + overridden.length > 0) && !baseAgain) return { next: 'base' };

  const unstable = new Set(baseAgain ? differences(base, baseAgain).map(each => each.test) : []);
  const steady = (found: readonly Regression[]) => found.filter(each => !unstable.has(each.test));
  const named = steady(repeated);
  // Other tests each time: of none is it sure, but twice the command failed that does not fail on base.
  const asWhole: Regression[] =
    onlyHere && baseAgain?.machine === 'pass' ? [{ test: null, how: 'fails' }] : [];
  const regressions = named.length > 0 ? named : asWhole;
  const sure = new Set([...named, ...steady(overridden)].map(each => each.test));
  const once = [...suspects, ...(again ? differences(base, again, restored) : []), ...against].filter(
    each => !sure.has(each.test),
  );
  return {
    comparison: {
      status: statusOf(regressions, result.machine === 'pass' ? result : (again ?? result), base),
      regressions,
      flaky: [...new Set(once.map(each => each.test ?? WHOLE))],
      overridden: steady(overridden).filter(each => !regressions.some(other => other.test === each.test)),
      passed_on_base: base.tests.length > 0 ? passed(base).length : null,
    },
  };
}

export const WHOLE = 'the command as a whole';

const PASSED: Comparison = {
  status: 'pass',
  regressions: [],
  flaky: [],
  overridden: [],
  passed_on_base: null,
};

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

const passed = (run: CheckRun) => run.tests.filter(test => test.status === 'passed');

/**
 * Everything that passes in the one run and not in the other. A test that is gone and passes when it is put back was only
 * renamed or moved.
 */
function differences(base: CheckRun, result: CheckRun, restored?: CheckRun): Regression[] {
  if (result.machine === 'could-not-run' && base.machine !== 'could-not-run')
    return [{ test: null, how: 'could-not-run' }];
  const named = base.tests.length > 0 && result.tests.length > 0;
  const found = (named ? testByTest(base, result) : []).filter(
    each => !(restored && isGone(each) && passes(restored, each.test!)),
  );
  if (found.length > 0) return found;
  // A linter in the same command, a new test of the result's own, or a suite that is not there any more.
  if (base.machine === 'pass' && result.machine === 'fail') return [{ test: null, how: 'fails' }];
  return passed(base).length > 0 && result.tests.length === 0 ? [{ test: null, how: 'missing' }] : [];
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

/** What both runs show. A run that broke off shows everything. */
function both(first: readonly Regression[], second: readonly Regression[]): readonly Regression[] {
  if (first.some(brokeOff)) return second;
  if (second.some(brokeOff)) return first;
  const names = new Set(second.map(each => each.test));
  return first.filter(each => names.has(each.test));
}

const brokeOff = ({ how }: Regression): boolean => how === 'could-not-run';
