/** Looks up and classifies the outcomes of a test. Pure. */
import type { NegatedOutcome, TestOutcome, TestOutcomes } from '../../../formats/exam/criteria-report.ts';
import type { TestCases } from '../../../formats/test-cases.ts';

const MAX_KILLS = 20;

export const outcomesOf = (
  id: string,
  { head, base, ghost, placebo, stubs, negated, kills }: TestRuns,
): TestOutcomes => {
  const own = kills?.get(id) ?? null;
  return {
    id,
    head: head.map(run => outcomeIn(run, id)),
    base: base.map(run => outcomeIn(run, id)),
    ghost: ghost && outcomeIn(ghost, id),
    placebo: placebo && outcomeIn(placebo, id),
    ...(stubs && { stubs: outcomeIn(stubs, id) }),
    ...(negated?.has(id) && { negated: negated.get(id)! }),
    killed_by: own?.slice(0, MAX_KILLS) ?? null,
    ...(own && own.length > MAX_KILLS && { killed_by_count: own.length }),
  };
};

export function outcomeIn({ cases, ended }: TestCases, id: string): TestOutcome {
  const found = cases.find(each => each.id === id);
  if (found?.outcome === 'fail') return found.failure ?? 'error';
  if ((!found || found.outcome === 'skip') && cases.some(each => isHookOf(id, each))) return 'error';
  if (found) return found.outcome;
  const loads = cases.filter(each => each.failure === 'load').map(each => each.id);
  const isOf = (file: string) => {
    const module = UNITTEST_MODULE.exec(file)?.[1];
    return (
      ['::', ' > ', '.'].some(mark => id.startsWith(`${file}${mark}`)) ||
      (module !== undefined && id.includes(` (${module}.`))
    );
  };
  // node does not report which file a test is in. If a file loaded but failed, the test may be in that file, so the
  // test counts as missing and not as part of a file that did not load.
  const isUnknown =
    !id.includes('::') &&
    loads.every(file => SCRIPT.test(file)) &&
    cases.every(each => each.failure === 'load' || !SCRIPT.test(each.id));
  return loads.some(isOf) || (ended && loads.length > 0 && isUnknown) ? 'load' : 'missing';
}

/**
 * Whether the failed case is a suite that contains the test, or a hook that runs for the test. Mocha and unittest then
 * do not report the tests of the suite, and vitest reports them as skipped.
 */
function isHookOf(id: string, { id: failed, outcome, failure }: TestCases['cases'][number]): boolean {
  if (outcome !== 'fail' || failure === 'load') return false;
  const suite = /^(.*?) ?"(?:before|after) (?:all|each)" hook\b/.exec(failed)?.[1];
  const unittest = /^setUp(?:Class|Module) \(([\w.]+)\)$/.exec(failed)?.[1];
  if (unittest !== undefined) return id.includes(` (${unittest}.`) || id.endsWith(` (${unittest})`);
  const starts = [`${failed} > `, `${failed}::`];
  // The name of a hook outside all suites does not begin with a suite title.
  if (suite !== undefined) starts.push(/^$|::$/.test(suite) ? suite : `${suite} `);
  return starts.some(start => id.startsWith(start));
}

/** How unittest reports a module that it cannot import. */
const UNITTEST_MODULE = /\(unittest\.loader\._FailedTest\.([\w.]+)\)$/;

const SCRIPT = /^\S+\.[cm]?[jt]sx?$/;

export const isRed = (outcome: TestOutcome): boolean =>
  !['pass', 'skip', 'todo', 'missing'].includes(outcome);

export const isGreen = (outcome: TestOutcome): boolean => outcome === 'pass';

export const isSkipped = (outcome: TestOutcome): boolean => outcome === 'skip' || outcome === 'todo';

/** The outcomes of the same tests in several runs. */
export interface TestRuns {
  /** On the result, in each round. */
  readonly head: readonly TestCases[];
  /** On base, in each round. */
  readonly base: readonly TestCases[];
  readonly ghost: TestCases | null;
  readonly placebo: TestCases | null;
  /** On the result with the old bodies of changed functions and with new functions that do nothing. */
  readonly stubs?: TestCases | undefined;
  /** Keyed by test: its outcome on the result with its assertions negated; absent if this was not tried. */
  readonly negated?: ReadonlyMap<string, NegatedOutcome> | undefined;
  /**
   * Keyed by test: the broken versions of the result that make it fail. An empty list means that everything the test
   * could depend on was broken and it never failed. A missing key, or null instead of the map, means not known.
   */
  readonly kills: ReadonlyMap<string, readonly string[]> | null;
}
