/** Sorts and counts judged criteria, for the terminal and for a pack. Pure. */
import type { JudgedCriterion } from '../../../formats/exam/criteria-report.ts';

/** Criteria that need attention come first. */
const ORDER: readonly JudgedCriterion['status'][] = [
  'fails',
  'could-not-run',
  'not-claimed',
  'passes',
  'look',
  'confirmed',
];

export const worstFirst = <C extends Pick<JudgedCriterion, 'status'>>(criteria: readonly C[]): C[] =>
  criteria.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));

/** Counts the criteria that a test can prove, and how many of them are confirmed. */
export function countConfirmedCriteria(criteria: readonly Pick<JudgedCriterion, 'status'>[]): {
  readonly confirmed: number;
  readonly of: number;
} {
  const provable = criteria.filter(({ status }) => status !== 'look');
  return {
    confirmed: provable.filter(({ status }) => status === 'confirmed').length,
    of: provable.length,
  };
}
