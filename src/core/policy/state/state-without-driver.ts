/** The states of runs that are interrupted, because nothing drives them or because their log is damaged. */
import type { RunState } from '../../../formats/state.ts';
import { actualPhase, isOver } from './phase.ts';

export const actualState = (s: RunState, driven: boolean): RunState =>
  actualPhase(s.phase, driven) === s.phase ? s : interrupted(s);

/** Returns the state of a run that has something to do and no driver. */
export const interrupted = (s: RunState): RunState => ({
  ...s,
  phase: 'interrupted',
  interrupted_from: s.phase,
});

/**
 * Presents an interrupted run as waiting for the user if it was waiting before, because it still accepts decisions.
 */
export const decidable = (s: RunState): RunState =>
  s.phase === 'interrupted' && (s.waiting !== null || s.interrupted_from === 'ready_for_merge')
    ? { ...s, phase: s.interrupted_from ?? s.phase, interrupted_from: null }
    : s;

/** Returns the state of a run with a damaged log: it does not continue and does not accept decisions. */
export const damagedState = (s: RunState, why: string): RunState =>
  isOver(s)
    ? s
    : {
        ...s,
        phase: 'interrupted',
        interrupted_from: s.interrupted_from ?? s.phase,
        pending_crp: null,
        reason: why,
      };
