/** The JSON result of `dure status`. Pure. */
import type { Origin } from '../formats/origin.ts';
import type { RunState } from '../formats/state.ts';
import { nextAction } from './next-action.ts';

export interface StatusResult extends RunState {
  readonly origin: Origin | null;
  readonly driven: boolean;
  readonly waits_for: string | null;
  readonly command: string | null;
}

export function statusResult(state: RunState, driven: boolean, origin: Origin | null): StatusResult {
  const wait = nextAction(state);
  return { ...state, origin, driven, waits_for: wait?.for ?? null, command: wait?.command ?? null };
}
