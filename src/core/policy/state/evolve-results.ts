/** Computes the state after the tests, their exam, the checks, and a verdict. Part of `evolve`. */

import type { EventOf } from '../../../formats/events/events.ts';
import type { RunState } from '../../../formats/state.ts';
import { truncatedBullets } from '../../text/truncate-list.ts';
import { causeOfTests, causeOfVerdict } from '../normalize-failure.ts';
import { MODE } from '../pipeline/automated-steps.ts';
import { enterNextStep } from '../pipeline/enter-next-step.ts';
import { mayQuestion, stepThatYields } from '../pipeline/look-up-steps.ts';
import {
  agent,
  askInstead,
  enter,
  failedWith,
  isAgain,
  reworkStep,
  sendBack,
  toPerson,
  withHistory,
} from './state-updates.ts';

/** A result that cannot be judged skips the Gatekeeper and goes to whoever can fix the problem. */
export function executed(s: RunState, e: EventOf<'tests.executed'>): RunState {
  const counts = e.counts ?? { total: 0, passed: 0, failed: 0, skipped: 0 };
  const { machine, exit_code, coverage, tree, tests_tree, back_to } = e;
  const { changed_coverage, unmeasured, unmeasured_count, sandbox, no_sandbox_because } = e;
  const measured = { changed_coverage, unmeasured, unmeasured_count, sandbox, no_sandbox_because };
  const tests = { machine, exit_code, ...counts, coverage, ...measured, tree, tests_tree };
  const cause = causeOfTests(e);
  const known = failedWith(withHistory({ ...s, tests }, `tests: ${machine}`, e.at), e.step, cause);
  if (back_to === undefined) {
    const ran = agent(known, e.agent, { status: 'completed', completed_at: e.at });
    return enterNextStep(ran, e.step);
  }
  const message = `Dure could not run the tests: ${e.problem ?? 'no tests ran'}. See verifier/test-log.txt.`;
  return isAgain(s, e.step, cause) ? askInstead(known, back_to, message) : sendBack(known, back_to, message);
}

/**
 * Tests that prove nothing, or leave lines undefended, are sent back once per build to the role that wrote them. If
 * these lines only moved, there is usually nothing to test, so they are only shown to the user.
 */
export function examined(s: RunState, e: EventOf<'exam.executed'>): RunState {
  const { criteria, undefended = [], undefended_count, all_moved, faults, runs, hash, tree, tests_tree } = e;
  const shown = { undefended: e.undefended, undefended_count, all_moved, faults, runs };
  const failed = criteria.filter(each => each.failed !== undefined);
  const known = withHistory(
    { ...s, exam: { criteria, ...shown, hash, tree, tests_tree } },
    `exam: ${failed.length} of ${criteria.length} not proven`,
    e.at,
  );
  const author = stepThatYields(s.setup, 'tests');
  const isSentBack = failed.length > 0 || (undefended.length > 0 && !all_moved);
  return isSentBack && author && mayQuestion(s)
    ? enter({ ...known, questioned: true }, author, questionOf(failed, undefended, undefended_count))
    : enterNextStep(known, e.step);
}

function questionOf(
  failed: EventOf<'exam.executed'>['criteria'],
  undefended: readonly string[],
  undefended_count?: number,
): string {
  const criteria = failed.map(({ id, reason }) => `${id}: ${reason}`).join('\n- ');
  return [
    'Dure ran your tests on other versions of the code.',
    ...(failed.length > 0
      ? [
          `They do not prove these acceptance criteria:\n- ${criteria}\nMake the tests check what the change must do, or explain under not_claimed in test-config.json why no test can.`,
        ]
      : []),
    ...(undefended.length > 0
      ? [
          `They all still pass without these changes:\n${truncatedBullets(undefended, undefended.length, undefended_count).join('\n')}\nIf the briefing asks for what these changes do, test it.`,
        ]
      : []),
  ].join('\n');
}

/** The run continues even if checks fail: later agents read the results, which also limit the verdict. */
export function checked(s: RunState, e: EventOf<'checks.executed'>): RunState {
  const { tree, checks } = e;
  const regressed = checks.filter(check => check.status === 'regression');
  const known = withHistory(
    { ...s, checks: { tree, checks } },
    `checks: ${regressed.length} of ${checks.length} regressed`,
    e.at,
  );
  return enterNextStep(known, e.step);
}

export function judged(s: RunState, e: EventOf<'verdict.given'>): RunState {
  const { verdict, claimed, lowered, reason, issues } = e;
  const known = withHistory(
    agent({ ...s, verdict: { verdict, claimed, lowered, reason, issues } }, e.agent, {
      status: 'completed',
      completed_at: e.at,
    }),
    verdict,
    e.at,
  );
  const why = lowered ? `${reason} (${lowered})` : reason;
  switch (e.next) {
    case 'ready':
      return { ...known, todo: { kind: 'pack' } };
    case 'fix':
    case 'rework':
      return rework(known, e, why);
    case 'ask':
      return toPerson(known, stepThatYields(s.setup, 'proof') ? 'verdict' : 'unproven', why);
    case 'fail':
      return { ...known, todo: { kind: 'end', reason: why } };
  }
}

const VERDICT = 'verdict';

/** Sends any verdict other than PASS to whoever has to act on it. */
function rework(s: RunState, e: EventOf<'verdict.given'>, why: string): RunState {
  const { next, issues, back_to = 'tree' } = e;
  const cause = causeOfVerdict(s, e.lowered);
  const known = failedWith(s, VERDICT, cause);
  const message = [`${e.verdict}: ${why}`, ...issues].join('\n- ');
  if (isAgain(s, VERDICT, cause)) return askInstead(known, back_to, message);
  if (back_to !== 'tree') return sendBack(known, back_to, message);
  if (next === 'rework') return sendBack(known, 'tree', why, e.from_step);
  return s.minor_fixes < s.setup.max_minor_fixes
    ? enter(
        { ...known, mode: MODE.fix, minor_fixes: s.minor_fixes + 1, sent_back: 0 },
        reworkStep(s, e.from_step),
        null,
      )
    : sendBack(known, 'tree', `${s.minor_fixes} minor fixes were not enough: ${why}`, e.from_step);
}
