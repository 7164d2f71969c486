/**
 * Determines what follows when Dure's own steps run again on a result that was already judged: all of them after a
 * rebase, only the exam if a person gives it more time. Agents run again only where their work no longer applies:
 * the role that writes the tests if the tests cannot be used, or if there are none and the patch changed; and
 * everything after the tests unless the patch is the same and the results of Dure's own steps are as good as before.
 */
import type { EventOf } from '../../../formats/events/events.ts';
import type { RunState, Step } from '../../../formats/state.ts';
import { checksOf, examOf, proofOf } from '../state/current-results.ts';
import { sealedTests } from '../state/sealed-trees.ts';
import { enter, unjudged, withHistory } from '../state/state-updates.ts';
import { ceiling, isLower } from '../verdict/verdict-ceiling.ts';
import { isAgentStep, isPassedOver, stepThatYields } from './look-up-steps.ts';

/** Returns how the current result was judged. */
export const judgementOf = (s: RunState): NonNullable<NonNullable<RunState['rerun']>['kept']> => ({
  limit: limitOf(s),
  verdict: s.verdict,
  accepted: s.accepted,
});

/** The result has no judgement and no pack until the repeated steps have run. */
export const UNJUDGED = { verdict: null, accepted: false, mrp: null, reason: null } as const;

/** Whether the exam of the result ran out of time. */
export const canExtendExam = (s: RunState): boolean =>
  s.setup.exam !== undefined && examOf(s)?.runs !== undefined;

/** Returns to the exam with a new time budget, which also applies to later exams of the run. */
export function examExtended(s: RunState, { at, budget_s }: EventOf<'exam.extended'>): RunState {
  const again: RunState = {
    ...withHistory(s, 'exam extended', at),
    ...UNJUDGED,
    setup: { ...s.setup, exam: { ...s.setup.exam!, budget_s } },
    rerun: { kept: judgementOf(s), tests_problem: null },
  };
  return enter(again, stepThatYields(s.setup, 'exam')!, null);
}

/** `place` is the position of the step that is done, or -1 if none is. */
export function enterNextDue(s: RunState, place: number): RunState {
  const { kept, tests_problem } = s.rerun!;
  const { pipeline } = s.setup;
  const source = pipeline.findLastIndex(step => step.yields === 'tree' || step.yields === 'tests');
  // A person may have accepted a result without tests.
  const isUntested = sealedTests(s) === null;
  const isJudging = (step: Step, i: number): boolean =>
    isAgentStep(step) && (i > source || (isUntested && step.yields === 'tests'));
  const isDue = (step: Step, i: number): boolean => {
    if (isPassedOver(s, step) || (isUntested && step.yields === 'proof')) return false;
    if (!isAgentStep(step) || (step.yields === 'tests' && tests_problem !== null)) return true;
    return kept === null && isJudging(step, i);
  };
  const next = pipeline.find((step, i) => i > place && isDue(step, i));
  if (next) return enter(s, next, next.yields === 'tests' ? tests_problem : null);
  if (kept && !isLower(limitOf(s), kept.limit)) {
    const { verdict, accepted } = kept;
    return { ...s, rerun: null, verdict, accepted, todo: { kind: 'pack' } };
  }
  const judge = kept && pipeline.find(isJudging);
  return judge ? enter(s, judge, null) : unjudged(s);
}

/** Returns the best verdict that the tests and checks of the current result allow. */
const limitOf = (s: RunState): string =>
  ceiling('PASS', proofOf(s), s.setup.criteria, undefined, checksOf(s)).verdict;
