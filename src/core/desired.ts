/** What should be at work? A function of the state alone: a crash has no list of effects to lose. */
import type { RunState, Step } from '../formats/state.ts';
import { isOver } from './evolve.ts';
import { currentStep } from './pipeline.ts';

export interface Launch {
  readonly launch: number;
  readonly step: Step;
  /** Not to be started before this time (ISO 8601), e.g. while a rate limit lasts. */
  readonly notBefore: string | null;
}

export function desired(s: RunState): Launch | null {
  if (isOver(s) || s.todo || s.waiting || s.phase === 'ready_for_merge' || s.phase === 'interrupted')
    return null;
  const step = currentStep(s);
  // With a budget the next agent is told what is left, so the one before has to be accounted for.
  if (s.budget_usd !== null && s.since === null && s.open.length > 0) return null;
  return { launch: s.launch, step, notBefore: s.not_before };
}
