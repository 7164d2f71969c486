/** How many more questions an agent may ask. Pure. */
import type { RunState, Step } from '../../formats/state.ts';
import { isAgentStep } from './pipeline.ts';

/** Questions that may still be asked during this visit to the phase. */
export function questionsLeft(step: Step, { setup, consultations }: RunState): number {
  const most = isAgentStep(step) ? step.asks : undefined;
  const allowed = Math.min(setup.max_consultations, most ?? setup.max_consultations);
  return Math.max(0, allowed - consultations);
}
