/**
 * Converts the state of a run to the result of a command: JSON fields, and an error with its exit status. A key that
 * is also in state.json has the same value there.
 */

import { isCostComplete, spentUsd } from '../../core/usage-tracker.ts';
import { type DureError, dureError } from '../../errors.ts';
import type { RunState } from '../../formats/state.ts';
import { nextAction } from '../suggested-commands.ts';

export const runResult = (s: RunState) => {
  const wait = nextAction(s);
  return {
    run_id: s.run_id,
    phase: s.phase,
    iteration: s.iteration,
    verdict: s.verdict,
    tests: s.tests,
    tree: s.mrp?.tree ?? null,
    pending_crp: s.pending_crp,
    cost_usd: spentUsd(s),
    cost_complete: isCostComplete(s),
    waits_for: wait?.for ?? null,
    command: wait?.command ?? null,
  };
};

/** Null if the run has no problem: it is completed, ready for merge, or still active. */
export function runProblem(s: RunState): DureError | null {
  const run = s.run_id;
  switch (s.phase) {
    case 'failed':
      return dureError('E_RUN_FAILED', { run, reason: s.reason ?? 'no reason was recorded' });
    case 'stopped':
      return dureError('E_RUN_STOPPED', { run, reason: s.reason ?? 'no reason was recorded' });
    case 'interrupted':
      return dureError('E_RUN_INTERRUPTED', { run });
    case 'waiting_human':
      return dureError('E_WAITING', { run, command: nextAction(s)!.command });
    default:
      return null;
  }
}
