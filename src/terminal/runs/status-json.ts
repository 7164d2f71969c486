/** Builds the JSON output of `dure status`: the fields of state.json, and those that every command reports on a run. */
import { titleOf } from '../../core/text/run-title.ts';
import type { Origin } from '../../formats/imported-run-origin.ts';
import type { RunState } from '../../formats/state.ts';
import { elapsedMs } from '../format-times-and-costs.ts';
import { runResult } from './run-json-and-error.ts';

export interface StatusOf {
  readonly state: RunState;
  readonly driven: boolean;
  readonly origin: Origin | null;
  readonly briefing: string;
}

export const statusResult = ({ state, driven, origin, briefing }: StatusOf, now: number) => ({
  ...state,
  ...runResult(state),
  origin,
  driven,
  briefing: titleOf(briefing),
  duration_ms: elapsedMs(state, now),
});
