/** Chooses the page that shows what a run needs. Pure. */
import type { RunRow } from '../http-protocol.ts';

export const runPageOf = (run: RunRow): string =>
  run.wants === 'review'
    ? `/run/${run.run_id}/mrp`
    : run.wants === 'answer' && run.pending_crp
      ? `/run/${run.run_id}/crp/${run.pending_crp}`
      : `/run/${run.run_id}`;
