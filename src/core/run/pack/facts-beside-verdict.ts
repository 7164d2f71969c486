/**
 * The facts that every view of a pack shows beside its verdict. Each view shows all of them, because a person would
 * assume that a fact that is not mentioned is favourable. Pure.
 */

import type { CheckResult } from '../../../formats/check-results.ts';
import type { Evidence } from '../../../formats/evidence.ts';

export interface FactsBesideVerdict {
  readonly verdict: {
    readonly isGood: boolean;
    /** How a person accepted the result although it did not pass; null if nobody had to. */
    readonly accepted: 'accepted' | 'withoutProof' | null;
  };
  readonly tests: { readonly isGood: boolean };
  readonly checks: ChecksSummary;
}

export interface ChecksSummary {
  /** `warn`: nothing regressed, but no check ran, or one could not run or fails on base too. */
  readonly tone: 'good' | 'warn' | 'bad';
  readonly passed: number;
  readonly regressed: number;
  readonly total: number;
}

export const factsBesideVerdict = ({
  verdict,
  accepted_by_person,
  test_machine,
  checks,
}: Pick<Evidence, 'verdict' | 'accepted_by_person' | 'test_machine'> & {
  readonly checks: readonly Pick<CheckResult, 'status'>[];
}): FactsBesideVerdict => {
  const passes = test_machine === 'pass';
  const accepted = passes ? 'accepted' : 'withoutProof';
  return {
    verdict: { isGood: verdict === 'PASS', accepted: accepted_by_person ? accepted : null },
    tests: { isGood: passes },
    checks: summarizeChecks(checks.map(({ status }) => status)),
  };
};

function summarizeChecks(statuses: readonly CheckResult['status'][]): ChecksSummary {
  const count = (counted: CheckResult['status']) => statuses.filter(status => status === counted).length;
  const [passed, regressed, total] = [count('pass'), count('regression'), statuses.length];
  const tone = regressed > 0 ? 'bad' : passed < total || total === 0 ? 'warn' : 'good';
  return { tone, passed, regressed, total };
}
