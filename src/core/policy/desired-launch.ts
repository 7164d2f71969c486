/**
 * Computes which launch should be running and which agents may exit on their own. It uses only the state, so a crash
 * loses nothing.
 */

import type { RunState, Step } from '../../formats/state.ts';
import { currentStep, stepOf } from './pipeline/look-up-steps.ts';
import { isOver } from './state/phase.ts';

export interface Launch {
  readonly launch: number;
  readonly step: Step;
  /** The launch must not start before this time (ISO 8601), e.g. because of a rate limit. */
  readonly notBefore: string | null;
}

const RUNS_CODE: readonly Step['yields'][] = ['proof', 'exam', 'checks'];

export function desired(s: RunState): Launch | null {
  if (isOver(s) || s.todo || s.waiting || s.phase === 'ready_for_merge' || s.phase === 'interrupted')
    return null;
  const step = currentStep(s);
  // If there is a budget, the next agent is told how much is left, so the previous agent's cost must be known.
  if (s.budget_usd !== null && s.since === null && s.open.length > 0) return null;
  // No agent that could modify the files may be running while tests or checks run.
  if (RUNS_CODE.includes(step.yields) && s.since === null && s.open.length > 0) return null;
  // Whatever an agent is still writing to the worktree must not end up in another agent's work.
  const isWritten = s.open.some(o => o.step !== step.name && stepOf(s.setup, o.step).yields === 'tree');
  if (step.yields === 'tree' && s.since === null && isWritten) return null;
  return { launch: s.launch, step, notBefore: s.not_before };
}

/**
 * Whether an agent still runs although its work is recorded and no other launch of its step is needed. Such an agent
 * gets a grace period to exit by itself.
 */
export function isStraggler(s: RunState, { launch, role, step }: RunState['open'][number]): boolean {
  if (isOver(s)) return false;
  return launch === s.launch
    ? ['completed', 'waiting_human'].includes(s.agents[role]?.status ?? '')
    : step !== currentStep(s).name;
}
