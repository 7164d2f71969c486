/** Enters the step after one that is done. */
import type { RunState } from '../../formats/state.ts';
import { enter, unjudged } from './next-step.ts';
import { stepAfter } from './pipeline.ts';
import { nextAfterRebase } from './rebase.ts';

export function enterNextStep(s: RunState, step: string): RunState {
  const rebased = nextAfterRebase(s, step);
  if (rebased) return rebased;
  const next = stepAfter(s.setup, step);
  return next ? enter(s, next, null) : unjudged(s);
}
