/** Extracts the part of the check results that goes into events.log: the first entries of each list. */
import type { CheckResult } from '../../../formats/check-results.ts';

export const MAX_RECORDED = 20;

export const recordedChecks = (result: CheckResult): CheckResult => ({
  ...result,
  ...(result.flaky.length > MAX_RECORDED && { flaky_count: result.flaky_count ?? result.flaky.length }),
  regressions: result.regressions.slice(0, MAX_RECORDED).map(shortened),
  overridden: result.overridden.slice(0, MAX_RECORDED).map(shortened),
  flaky: result.flaky.slice(0, MAX_RECORDED).map(recordedName),
});
export const recordedName = (name: string): string => (name.length > 200 ? `${name.slice(0, 199)}…` : name);
const shortened = (each: CheckResult['regressions'][number]) => ({
  ...each,
  test: each.test === null ? null : recordedName(each.test),
});
