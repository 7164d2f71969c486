/**
 * Judges one of the project's own checks that a pack lists, after `dure prove` has repeated the check. Pure. The
 * pack claims that everything that passes on base also passes on the result, except for the tests from base that it
 * lists as changed.
 */
import type { CheckResult } from '../../../formats/check-results.ts';
import type { ProvenCheck } from '../../../formats/output/prove.ts';
import { MAX_RECORDED, recordedName } from './shorten-check-result.ts';

type JudgedCheck = Pick<ProvenCheck, 'verdict' | 'reason'>;
type Compared = Pick<CheckResult, 'status' | 'problem' | 'regressions' | 'overridden' | 'overridden_count'>;

/** `excuse`: why a check may fail here although the result is right; null if there is none. */
export function checkVerdict(claimed: Compared, here: Compared, excuse: string | null): JudgedCheck {
  const given = (verdict: JudgedCheck['verdict'], reason: string | null) => ({ verdict, reason });
  const couldNotRun = (why: string) => given('COULD NOT RUN', excuse ?? why);
  const [broken] = brokenTests(claimed, here);
  if (broken !== undefined) {
    const reason = `${broken ?? 'the command'} passes on base, but not on the result`;
    return excuse === null ? given('REFUTED', reason) : couldNotRun(reason);
  }
  if (claimed.status !== 'pass' && claimed.status !== 'red-on-base')
    return given('NOT CLAIMED', `the pack says: ${claimed.status}`);
  return here.status === 'pass' || here.status === claimed.status
    ? given('CONFIRMED', null)
    : couldNotRun(here.problem ?? 'it fails on base too');
}

/**
 * Lists the tests that pass on base but not on the result and that the pack does not name; null stands for the
 * command as a whole. A command that could not run is not included, because time limits and missing programs
 * depend on the machine.
 */
export function brokenTests(claimed: Compared, here: Compared): (string | null)[] {
  if (claimed.status === 'regression') return [];
  const listed = claimed.overridden.length;
  // The pack names only the first `MAX_RECORDED` changed tests and counts the rest; as many unnamed tests may fail.
  const unnamed = listed < MAX_RECORDED ? 0 : Math.max(0, claimed.overridden_count - listed);
  const broken = (all: Compared['overridden']) =>
    all.filter(({ how }) => how !== 'could-not-run').map(({ test }) => test);
  const others = broken(here.overridden).filter(
    test => !claimed.overridden.some(each => each.test === (test && recordedName(test))),
  );
  return [...broken(here.regressions), ...others.slice(unnamed)];
}
