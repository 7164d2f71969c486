/**
 * Which launch should be running, and which agents may end on their own. Computed from the state alone, so a crash
 * loses nothing.
 */
import type { RunState, Step } from '../../formats/state.ts';
import { isOver } from './evolve.ts';
import { currentStep } from './pipeline.ts';

export interface Launch {
  readonly launch: number;
  readonly step: Step;
  /** Do not start before this time (ISO 8601), e.g. because of a rate limit. */
  readonly notBefore: string | null;
}

export function desired(s: RunState): Launch | null {
  if (isOver(s) || s.todo || s.waiting || s.phase === 'ready_for_merge' || s.phase === 'interrupted')
    return null;
  const step = currentStep(s);
  // With a budget, the next agent is told what is left, so the cost of the previous one must be known.
  if (s.budget_usd !== null && s.since === null && s.open.length > 0) return null;
  // No agent that could modify the files may be running while tests or checks run.
  if ((step.yields === 'proof' || step.yields === 'checks') && s.since === null && s.open.length > 0)
    return null;
  return { launch: s.launch, step, notBefore: s.not_before };
}

/** An agent whose work is recorded and whose place no launch needs yet. It has a grace period to end by itself. */
export function isStraggler(s: RunState, { launch, role, step }: RunState['open'][number]): boolean {
  if (isOver(s)) return false;
  return launch === s.launch
    ? ['completed', 'waiting_human'].includes(s.agents[role]?.status ?? '')
    : step !== currentStep(s).name;
}
