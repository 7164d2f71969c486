/** Predicts what a driver would do next with the decisions that people left for a waiting run. */
import type { RunState } from '../../formats/state.ts';
import { decide } from './decide.ts';
import type { Observation } from './observation.ts';
import { isWaiting } from './state/phase.ts';
import type { Transition } from './transition.ts';

export type Decisions = Pick<Observation, 'answers' | 'unproven' | 'requests' | 'feedback'>;

/** Null if there is nothing to process or the run does not wait for the user. */
export function predictDriverTransition(s: RunState, decisions: Decisions): Transition | null {
  if (!isWaiting(s)) return null;
  // A driver would first wait for agents that are still running.
  return decide({ ...s, open: [] }, { ...NOTHING_ELSE, at: s.updated_at, ...decisions });
}

/** The remaining fields of an observation in which nothing was seen except people's decisions. */
export const NOTHING_ELSE: Omit<Observation, keyof Decisions | 'at'> = {
  replaced: [],
  claim: null,
  flag: false,
  error: null,
  outputs: null,
  delay: null,
  settled: false,
  verdict: null,
  proof: null,
  examined: null,
  checks: null,
  exits: [],
  questions: [],
  badQuestion: null,
  changedPack: [],
};
