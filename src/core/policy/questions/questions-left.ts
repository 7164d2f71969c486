/** Counts how many more questions an agent may ask. */
import type { RunState, Step } from '../../../formats/state.ts';
import { isAgentStep } from '../pipeline/look-up-steps.ts';

/** Returns how many questions the agent of this step may still ask before the phase ends. */
export function questionsLeft(step: Step, { setup, consultations }: RunState): number {
  const max = isAgentStep(step) ? step.asks : undefined;
  const allowed = Math.min(setup.max_consultations, max ?? setup.max_consultations);
  return Math.max(0, allowed - consultations);
}
