/** How a run stands when a command leaves it, as the command's own result: data, words and exit status. */

import { isCostComplete, spentUsd } from '../core/usage-tracker.ts';
import { type DureError, dureError } from '../errors.ts';
import type { RunState } from '../formats/state.ts';
import { waitOf } from './waits.ts';

export const outcomeOf = (s: RunState) => {
  const wait = waitOf(s);
  return {
    run_id: s.run_id,
    phase: s.phase,
    iteration: s.iteration,
    verdict: s.verdict?.verdict ?? null,
    tests: s.tests?.machine ?? null,
    tree: s.mrp?.tree ?? null,
    pending_crp: s.pending_crp,
    cost_usd: spentUsd(s),
    cost_complete: isCostComplete(s),
    waits_for: wait?.for ?? null,
    command: wait?.command ?? null,
  };
};

/** Null when the run went well: completed, ready, or still going. */
export function problemOf(s: RunState): DureError | null {
  const run = s.run_id;
  switch (s.phase) {
    case 'failed':
      return dureError('E_RUN_FAILED', { run, reason: s.reason ?? 'no reason was recorded' });
    case 'stopped':
      return dureError('E_RUN_STOPPED', { run, reason: s.reason ?? 'no reason was recorded' });
    case 'interrupted':
      return dureError('E_RUN_INTERRUPTED', { run });
    case 'waiting_human':
      return dureError('E_WAITING', { run, command: waitOf(s)!.command });
    default:
      return null;
  }
}
