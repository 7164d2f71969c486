/** Combines the verdicts of `dure prove` on criteria and checks into its outcome. Pure. */
import type { JudgedCriterion } from '../../../formats/exam/criteria-report.ts';
import type { CriterionVerdict } from './prove-pack-criterion-verdict.ts';

export const ACCEPTABLE = ['not-claimed', 'could-not-run'] as const;

export type Acceptable = (typeof ACCEPTABLE)[number];

/** `open`: nothing is refuted, but a person has to decide. */
export type ProveOutcome = 'confirmed' | 'refuted' | 'open';

/** Combines the verdicts on all criteria and checks. Criteria that only a person can judge do not count. */
export function resultOf(
  claims: readonly { readonly kind?: JudgedCriterion['kind']; readonly verdict: CriterionVerdict }[],
  accepted: readonly Acceptable[],
): ProveOutcome {
  const counted = claims.filter(({ kind }) => kind !== 'look');
  if (counted.some(({ verdict }) => verdict === 'REFUTED')) return 'refuted';
  const passing: readonly CriterionVerdict[] = [
    'CONFIRMED',
    ...accepted.map(each => (each === 'not-claimed' ? 'NOT CLAIMED' : 'COULD NOT RUN') as CriterionVerdict),
  ];
  return counted.length > 0 && counted.every(({ verdict }) => passing.includes(verdict))
    ? 'confirmed'
    : 'open';
}
