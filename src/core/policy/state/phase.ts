/** Defines who has to act in each phase. */
import type { RunState } from '../../../formats/state.ts';

export const OVER_PHASES: readonly string[] = ['completed', 'failed', 'stopped'];
export const isOver = (s: { readonly phase: string }): boolean => OVER_PHASES.includes(s.phase);

export const PERSON_PHASES: readonly string[] = ['waiting_human', 'ready_for_merge', 'interrupted'];
/** Whether the run needs the user before it can continue. */
export const needsPerson = (phase: string): boolean => PERSON_PHASES.includes(phase);

/** Whether an agent or Dure should be working in this phase. */
export const isWorkedOn = (phase: string): boolean => !OVER_PHASES.includes(phase) && !needsPerson(phase);

/**
 * Returns the actual phase: a run without a driver is interrupted, whatever state.json says, unless it is over or waits
 * for the user.
 */
export const actualPhase = (phase: string, driven: boolean): string =>
  driven || !isWorkedOn(phase) ? phase : 'interrupted';

/** Whether the run is waiting for the user. */
export const isWaiting = (s: RunState): boolean => s.waiting !== null || s.phase === 'ready_for_merge';

/** Whether the run is waiting for the user and no launch is running, so that only a new file can change anything. */
export const isIdle = (s: RunState): boolean => isWaiting(s) && s.open.length === 0;
