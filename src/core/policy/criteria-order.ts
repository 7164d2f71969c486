/** How a list of judged criteria is shown, in the terminal and in a pack. Pure. */
import type { JudgedCriterion } from '../../formats/criteria-report.ts';

/** Those that need attention come first. */
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

/** How many of those that a test can prove are confirmed. */
export function confirmedOf(criteria: readonly Pick<JudgedCriterion, 'status'>[]): {
  readonly confirmed: number;
  readonly of: number;
} {
  const provable = criteria.filter(({ status }) => status !== 'look');
  return {
    confirmed: provable.filter(({ status }) => status === 'confirmed').length,
    of: provable.length,
  };
}
