/** What a phase says about who has to do something. Pure. */
import type { RunState } from '../formats/state.ts';

const OVER = ['completed', 'failed', 'stopped'];
export const isOver = (s: Pick<RunState, 'phase'>): boolean => OVER.includes(s.phase);

const RESTS = [...OVER, 'waiting_human', 'ready_for_merge', 'interrupted'];
/** Whether in this phase somebody should be at work: a run that rests is over, or only a person can go on with it. */
export const isWorkedOn = (phase: string): boolean => !RESTS.includes(phase);

/** Nothing goes on without a person. */
export const rests = (s: RunState): boolean => s.waiting !== null || s.phase === 'ready_for_merge';

/** The same, and nobody is at work any more: only a file can bring news. */
export const isIdle = (s: RunState): boolean => rests(s) && s.open.length === 0;
