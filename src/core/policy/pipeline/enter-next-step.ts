/** Enters the step that follows a completed step. */
import type { RunState } from '../../../formats/state.ts';
import { nextInRerun } from '../state/evolve-rebase.ts';
import { enter, unjudged } from '../state/state-updates.ts';
import { isPassedOver, stepAfter } from './look-up-steps.ts';

export function enterNextStep(s: RunState, step: string): RunState {
  const again = nextInRerun(s, step);
  if (again) return again;
  const next = stepAfter(s.setup, step);
  if (next && isPassedOver(s, next)) return enterNextStep(s, next.name);
  return next ? enter(s, next, null) : unjudged(s);
}
