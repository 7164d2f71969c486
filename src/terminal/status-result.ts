/** What `dure status --json` says of a run. Pure. */
import type { Origin } from '../formats/origin.ts';
import type { RunState } from '../formats/state.ts';
import { waitOf } from './waits.ts';

export interface StatusResult extends RunState {
  readonly origin: Origin | null;
  readonly driven: boolean;
  readonly waits_for: string | null;
  readonly command: string | null;
}

export function statusResult(state: RunState, driven: boolean, origin: Origin | null): StatusResult {
  const wait = waitOf(state);
  return { ...state, origin, driven, waits_for: wait?.for ?? null, command: wait?.command ?? null };
}
