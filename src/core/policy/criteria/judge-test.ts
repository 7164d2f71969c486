/**
 * Judges one test by what it does on other versions of the code. Pure. A test proves a criterion if it passes on the
 * result in every round, fails on base in every round (for `keeps`: passes), still fails if the added lines are inserted
 * into base only as comments, strings, parameters and code that never runs, still passes if comments and spaces are added
 * to the result or its source text is hidden, and fails if its assertions are negated or a changed line is broken. If it
 * passes although the changed functions work as before and the new ones do nothing, a broken line in a changed function
 * does not count. A test that was not reported shows nothing: it counts as neither passed nor failed.
 */

import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';
import type { JudgedCriterion, NegatedOutcome, TestOutcomes } from '../../../formats/exam/criteria-report.ts';
import { isGreen, isRed, isSkipped } from './test-outcomes.ts';

export type CriterionJudgement = Pick<JudgedCriterion, 'status' | 'reason' | 'failed'>;

const couldNotRun = (reason: string): CriterionJudgement => ({ status: 'could-not-run', reason });
const provesNothing = (
  failed: NonNullable<CriterionJudgement['failed']>,
  reason: string,
): CriterionJudgement => ({
  status: 'not-claimed',
  reason,
  failed,
});

/** `problem`: why the runs on base prove nothing, or why the exam ended early. `limit`: why some variants were not tried. */
export interface Reasons {
  readonly problem: string | null;
  readonly limit: string | null;
}

/** The `limit` if a longer exam would try the remaining variants. */
export const TIME_UP = 'the exam ran out of time before everything was tried';
/** Why a test is not examined further in a quick proof. */
export const ONLY_BASE = 'its tests ran only on the result and on base';

export function judgeTest(
  kind: Criterion['kind'],
  outcomes: TestOutcomes,
  { problem, limit }: Reasons,
): CriterionJudgement {
  const { head, base, ghost, placebo, stubs, negated, killed_by } = outcomes;
  // If the other tests were reported, this one is at fault: it may end its process instead of failing.
  const missing = (where: string): CriterionJudgement =>
    problem === null
      ? { ...couldNotRun(`its test was not reported ${where}`), failed: 'not-run' }
      : couldNotRun(problem);
  if (!head.every(isGreen)) {
    if (head.every(isRed)) return { status: 'fails', reason: null };
    const isOnlyMissing = head.every(outcome => isGreen(outcome) || outcome === 'missing');
    return couldNotRun(
      isOnlyMissing
        ? 'its test was not reported in every test run on the result'
        : 'its test does not always pass',
    );
  }
  if (base.length === 0) return { status: 'passes', reason: problem };
  if (base.every(isSkipped)) return provesNothing('base', 'its test is skipped without the change');
  if (!base.every(outcome => isGreen(outcome) || isRed(outcome))) return missing('on base');
  if (!base.every(isGreen) && !base.every(isRed))
    return couldNotRun('its test does not give the same result on base every time');
  const keeps = kind === 'keeps';
  if (keeps && base.every(outcome => outcome === 'load'))
    return couldNotRun(
      'its test file cannot be loaded without the change, so it is not known whether the test passes on base',
    );
  if (keeps && base.every(isRed))
    return provesNothing(
      'base',
      'its test also fails without the change, so it shows nothing about existing behaviour',
    );
  if (!keeps && base.every(isGreen)) return provesNothing('base', 'its test passes without the change too');
  if (!keeps && ghost !== null && !isRed(ghost))
    return isGreen(ghost)
      ? provesNothing(
          'ghost',
          'its test passes without the change if the added lines are inserted only as comments, strings, parameters and code that never runs',
        )
      : missing('on base with the added lines as comments');
  if (placebo !== null && !isGreen(placebo))
    return isRed(placebo)
      ? provesNothing(
          'placebo',
          'its test fails if only comments and spaces are added to the result, or if the source text of the result is hidden',
        )
      : missing('on the result with comments and spaces added');
  if (negated === 'pass')
    return provesNothing('negated', 'its test passes even if its assertions are negated');
  if (ghost === null || placebo === null || killed_by === null) {
    // This reason is preferred to `TIME_UP`, because a longer exam would not change it.
    const notNegated = limit === TIME_UP ? whyNotNegated(negated) : null;
    return { status: 'passes', reason: problem ?? notNegated ?? limit };
  }
  if (killed_by.length > 0) {
    const reason = whyNotNegated(negated);
    return { status: reason === null ? 'confirmed' : 'passes', reason };
  }
  if (!keeps && stubs !== undefined && isGreen(stubs))
    return provesNothing(
      'kill',
      'its test passes if the changed functions work as before and the new ones do nothing, and no fault elsewhere in the change makes one of its assertions fail',
    );
  // The behaviour that a change keeps may be far from the changed code, so only a test without a real
  // assertion is known to show nothing.
  return keeps && negated !== undefined && whyNotNegated(negated) === null
    ? {
        status: 'passes',
        reason: 'no fault that was tried in the changed files makes an assertion of its test fail',
      }
    : provesNothing('kill', 'no fault that was tried in the change makes an assertion of its test fail');
}

/** Says why a run with negated assertions showed nothing; null if the test failed or if there was no such run. */
function whyNotNegated(negated: NegatedOutcome | undefined): string | null {
  if (negated === undefined) return null;
  if (negated === 'unrecognized') return 'Dure cannot negate any assertion of its test';
  if (negated === 'load') return 'its test file cannot be loaded with its assertions negated';
  return isRed(negated) ? null : 'its test is missing from the report if its assertions are negated';
}
