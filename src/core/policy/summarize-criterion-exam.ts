/** What the exam of a criterion shows, in numbers. Pure. */
import type { JudgedCriterion } from '../../formats/criteria-report.ts';

export interface CriterionExamSummary {
  readonly before: 'red' | 'green';
  /** Number of runs on the result, and of runs on base. */
  readonly rounds: number;
  /** Number of broken versions of the result in which the criterion's tests fail. */
  readonly noticed: number;
}

/** Null unless the tests of the criterion ran on base with the same result every time. */
export function summarizeCriterionExam({ status, tests }: JudgedCriterion): CriterionExamSummary | null {
  if (status !== 'confirmed' && status !== 'passes') return null;
  const seen = tests.filter(({ base }) => base.length > 0 && !base.includes('missing'));
  const best = seen.find(({ killed_by }) => killed_by && killed_by.length > 0) ?? seen[0];
  if (!best) return null;
  return {
    before: best.base.every(outcome => outcome === 'pass') ? 'green' : 'red',
    rounds: best.base.length,
    noticed: new Set(tests.flatMap(({ killed_by }) => killed_by ?? [])).size,
  };
}
