/**
 * Judges a criterion of a pack after `dure prove` has run its tests again. Pure. The pack determines only what is
 * claimed; the tests that ran here determine whether it is true.
 */
import type { JudgedCriterion } from '../../../formats/exam/criteria-report.ts';
import type { ProvenCriterion } from '../../../formats/output/prove.ts';
import { ONLY_BASE } from '../criteria/judge-test.ts';
import { isRed, isSkipped } from '../criteria/test-outcomes.ts';

export type CriterionVerdict = ProvenCriterion['verdict'];

export interface Observed {
  /** The criterion as judged by the tests that ran here. */
  readonly judged: JudgedCriterion;
  /** Why a test may fail here although the result is right; null if there is no such reason. */
  readonly excuse: string | null;
  /** A file of the criterion's tests that is also in base or the result; null if all come from the Verifier alone. */
  readonly notOwn: string | null;
  /** One of the project's own tests that passes on base but fails on the result; null if there is none. */
  readonly broken: string | null;
}

type JudgedClaim = Pick<ProvenCriterion, 'verdict' | 'reason'>;

const given = (verdict: CriterionVerdict, reason: string | null): JudgedClaim => ({ verdict, reason });

export function verdictOf(
  claimed: JudgedCriterion,
  { judged, excuse, notOwn, broken }: Observed,
): JudgedClaim {
  const isClaimed = claimed.status === 'confirmed';
  const { tests, status, reason } = judged;
  const notClaimed = () => given('NOT CLAIMED', claimed.reason ?? reason ?? 'the pack does not claim it');
  if (judged.kind === 'look') return given('NOT CLAIMED', 'a person has to judge it');
  const couldNotRun = (why: string | null) => given('COULD NOT RUN', excuse ?? why);
  const failing = tests.find(({ head }) => head.length > 0 && head.every(isRed));
  const refuted = (why: string | null) => (excuse === null ? given('REFUTED', why) : couldNotRun(excuse));
  if (failing) return refuted(`its test fails on the result: ${failing.id}`);
  if (status === 'fails') return couldNotRun('its tests do not give the same result every time');
  if (isClaimed && notOwn !== null)
    return given(
      'REFUTED',
      `a file of its tests is also in base or in the result, so it may not be the Verifier's: ${notOwn}`,
    );
  if (isClaimed && judged.failed !== undefined && judged.failed !== 'not-run') return refuted(reason);
  if (isClaimed && tests.length > 0 && tests.every(({ head }) => head.every(isSkipped)))
    return refuted('its tests are skipped');
  if (isClaimed && judged.kind === 'keeps' && broken !== null)
    return given('REFUTED', `one of the project's own tests passes on base but not on the result: ${broken}`);
  if (status === 'could-not-run') return couldNotRun(reason);
  if (status === 'confirmed') return notOwn === null ? given('CONFIRMED', null) : notClaimed();
  if (!isClaimed) return notClaimed();
  if (status === 'passes' && reason === ONLY_BASE) return given('NOT REFUTED', null);
  return tests.length === 0
    ? couldNotRun('no test that claims it was reported')
    : status === 'passes'
      ? couldNotRun(reason ?? 'not every check of its tests was possible')
      : given('NOT CLAIMED', reason);
}
