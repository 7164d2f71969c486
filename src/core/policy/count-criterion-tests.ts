/** Counts the tests of a criterion. A report lists only the first of them, so the list must not be counted. Pure. */
import type { JudgedCriterion, TestOutcomes } from '../../formats/criteria-report.ts';

export type CriterionTestCounts = NonNullable<JudgedCriterion['test_counts']>;

/** `tests`: all tests of a criterion. */
export const countTests = (tests: readonly TestOutcomes[]): CriterionTestCounts => ({
  total: tests.length,
  passed: tests.filter(({ head }) => head.length > 0 && head.every(outcome => outcome === 'pass')).length,
});

/** Older reports contain only the list. */
export const testCountsOf = ({ test_counts, tests }: JudgedCriterion): CriterionTestCounts =>
  test_counts ?? countTests(tests);
