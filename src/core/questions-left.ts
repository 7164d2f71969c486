/** How often an agent may still interrupt a person. Pure. */
import type { RunState, Step } from '../formats/state.ts';

/** Questions that may still be asked in this visit of the phase. */
export function questionsLeft(step: Step, { setup, consultations }: RunState): number {
  const allowed =
    step.phase === 'refine'
      ? Math.min(setup.max_consultations, setup.max_refinements)
      : setup.max_consultations;
  return Math.max(0, allowed - consultations);
}
