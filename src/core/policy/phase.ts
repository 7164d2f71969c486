/** What a phase says about who has to do something. Pure. */
import type { RunState } from '../../formats/state.ts';

export const OVER_PHASES: readonly string[] = ['completed', 'failed', 'stopped'];
export const isOver = (s: { readonly phase: string }): boolean => OVER_PHASES.includes(s.phase);

const PERSON_PHASES = ['waiting_human', 'ready_for_merge', 'interrupted'];
/** Whether only a person lets the run continue. */
export const needsPerson = (phase: string): boolean => PERSON_PHASES.includes(phase);

/** Whether in this phase somebody should be at work: a run that rests is over, or only a person can go on with it. */
export const isWorkedOn = (phase: string): boolean => !OVER_PHASES.includes(phase) && !needsPerson(phase);

/** The phase as it is true: a run that nobody drives is interrupted, whatever state.json says, unless it rests. */
export const phaseWhen = (phase: string, driven: boolean): string =>
  driven || !isWorkedOn(phase) ? phase : 'interrupted';

export const stateWhen = (s: RunState, driven: boolean): RunState =>
  phaseWhen(s.phase, driven) === s.phase ? s : { ...s, phase: 'interrupted', interrupted_from: s.phase };

/** Nothing goes on without a person. */
export const rests = (s: RunState): boolean => s.waiting !== null || s.phase === 'ready_for_merge';

/** The same, and nobody is at work any more: only a file can bring news. */
export const isIdle = (s: RunState): boolean => rests(s) && s.open.length === 0;
