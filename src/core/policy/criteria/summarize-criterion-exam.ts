/** Summarizes in numbers what the exam shows about a criterion. Pure. */
import type { JudgedCriterion } from '../../../formats/exam/criteria-report.ts';
import { shownTests } from './select-and-count-tests.ts';

export interface CriterionExamSummary {
  readonly before: 'red' | 'green';
  /** Number of runs on the result; the number of runs on base is the same. */
  readonly rounds: number;
  /** Number of broken versions of the result that make the criterion's tests fail. */
  readonly noticed: number;
  /** Number of tests that prove the criterion, and of all its tests; null if the two are equal. */
  readonly proving: { readonly count: number; readonly of: number } | null;
}

/** Null unless the criterion's tests pass on the result and a listed one was reported in every round on base. */
export function summarizeCriterionExam(criterion: JudgedCriterion): CriterionExamSummary | null {
  const { status } = criterion;
  const { listed, count, other_count } = shownTests(criterion);
  if (status !== 'confirmed' && status !== 'passes') return null;
  const seen = listed.filter(({ base }) => base.length > 0 && !base.includes('missing'));
  const best = seen.find(({ killed_by }) => killed_by && killed_by.length > 0) ?? seen[0];
  if (!best) return null;
  return {
    before: best.base.every(outcome => outcome === 'pass') ? 'green' : 'red',
    rounds: best.base.length,
    // A report may list only some of the tests, and only some of the kills of a test.
    noticed: criterion.test_counts.kills ?? new Set(listed.flatMap(({ killed_by }) => killed_by ?? [])).size,
    proving: other_count > 0 ? { count, of: count + other_count } : null,
  };
}
