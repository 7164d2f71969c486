/**
 * Counts the tests of a criterion, and selects those to show as evidence. A report lists only the first few, so the
 * length of its list is not the total. Pure.
 */

import type { JudgedCriterion, JudgedTest } from '../../../formats/exam/criteria-report.ts';
import type { TestRuns } from './test-outcomes.ts';

export type CriterionTestCounts = JudgedCriterion['test_counts'];

/** `tests` are all tests of a criterion. */
export function countTests(tests: readonly JudgedTest[], kills: TestRuns['kills']): CriterionTestCounts {
  const proving = tests.filter(({ proves }) => proves);
  const counted = proving.length > 0 ? proving : tests;
  return {
    total: tests.length,
    passed: tests.filter(({ head }) => head.length > 0 && head.every(outcome => outcome === 'pass')).length,
    proving: proving.length,
    ...(kills && { kills: new Set(counted.flatMap(({ id }) => kills.get(id) ?? [])).size }),
  };
}

export interface ShownTests {
  /** The tests that prove the criterion; all its tests if it is not confirmed. Possibly only the first few. */
  readonly listed: readonly JudgedTest[];
  /** Total number of tests that belong in `listed`, which may contain fewer. */
  readonly count: number;
  /** The other tests that are in the report, and the total number of other tests. */
  readonly others: readonly JudgedTest[];
  readonly other_count: number;
}

/** Selects the tests to show. For a confirmed criterion, a test that proves nothing must not look like evidence. */
export function shownTests(criterion: JudgedCriterion): ShownTests {
  const { status, tests, test_counts } = criterion;
  const { total, proving } = test_counts;
  if (status !== 'confirmed') return { listed: tests, count: total, others: [], other_count: 0 };
  return {
    listed: tests.filter(({ proves }) => proves),
    count: proving,
    others: tests.filter(({ proves }) => !proves),
    other_count: total - proving,
  };
}
