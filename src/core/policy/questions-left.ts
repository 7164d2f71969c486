/** How many more questions an agent may ask. */
import type { RunState, Step } from '../../formats/state.ts';
import { isAgentStep } from './pipeline.ts';

/** How many questions may still be asked before the phase ends. */
export function questionsLeft(step: Step, { setup, consultations }: RunState): number {
  const most = isAgentStep(step) ? step.asks : undefined;
  const allowed = Math.min(setup.max_consultations, most ?? setup.max_consultations);
  return Math.max(0, allowed - consultations);
}
