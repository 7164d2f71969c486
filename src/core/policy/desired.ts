/** What should be at work, and what need not end at once? Of the state alone: a crash has no list of effects to lose. */
import type { RunState, Step } from '../../formats/state.ts';
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
  // Nobody who could touch what they look at is about while the tests run.
  if ((step.yields === 'proof' || step.yields === 'checks') && s.since === null && s.open.length > 0)
    return null;
  return { launch: s.launch, step, notBefore: s.not_before };
}

/** An agent whose work was taken, and for whose place nobody waits: it gets a grace to end by itself. */
export function isStraggler(s: RunState, { launch, role, step }: RunState['open'][number]): boolean {
  if (isOver(s)) return false;
  return launch === s.launch
    ? ['completed', 'waiting_human'].includes(s.agents[role]?.status ?? '')
    : step !== currentStep(s).name;
}
