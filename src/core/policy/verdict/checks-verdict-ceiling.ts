/** Limits the verdict by the results of the project's own checks. Only a regression lowers it. */

import type { CheckResult } from '../../../formats/check-results.ts';
import { truncatedInline } from '../../text/truncate-list.ts';

export interface ChecksCeiling {
  readonly at: 'FAIL' | 'MINOR_FAIL';
  readonly because: string;
  /** The checks pass on base, so the step that built the tree caused the regression. */
  readonly back_to: 'tree';
}

export const ceilingsOfChecks = (checks: readonly CheckResult[]): ChecksCeiling[] =>
  checks
    .filter(({ status }) => status === 'regression')
    .map(check => ({ at: isMinor(check) ? 'MINOR_FAIL' : 'FAIL', because: reason(check), back_to: 'tree' }));

/**
 * Whether a regression is minor, by the thresholds that apply to the Verifier's tests. A failing linter that does not
 * name tests is minor; a missing test suite is not.
 */
function isMinor({ regressions, regression_count, counts, base }: CheckResult): boolean {
  const passed = base?.counts?.passed ?? 0;
  if (regressions.every(({ test }) => test !== null))
    return regression_count <= 5 && passed > 0 && (passed - regression_count) / passed >= 0.9;
  const namesTests = counts !== null || passed > 0;
  return !namesTests && regressions.every(({ how }) => how === 'fails');
}

/** What happened to a test that passes on base; printed after the test name. */
export const OUTCOMES = {
  fails: 'fails',
  missing: 'is no longer reported',
  skipped: 'is now skipped',
  'could-not-run': 'cannot be run',
} as const;
const MAX_NAMED = 5;

function reason({ name, regressions, regression_count, problem }: CheckResult): string {
  const named = regressions.filter(({ test }) => test !== null);
  if (named.length === 0) {
    const how = regressions[0]?.how ?? 'fails';
    const outcome = how === 'missing' ? 'no longer names any test' : OUTCOMES[how];
    return `the check ${name} ${outcome}, but passes on base${problem ? ` (${problem})` : ''}`;
  }
  const all = named.map(({ test, how }) => `${test} ${OUTCOMES[how]}`);
  const tests = regression_count === 1 ? '1 test that passes' : `${regression_count} tests that pass`;
  return `in the check ${name}, ${tests} on base regressed: ${truncatedInline(all, MAX_NAMED, regression_count)}`;
}
