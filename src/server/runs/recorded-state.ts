/** Reads the state of a run for the web server. */
import { dureError } from '../../errors.ts';
import { type RunFiles, runIdOf } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { logTail } from './event-log-tail.ts';

/**
 * Folds the log, which is written before state.json: a client that has seen an event must not get an older
 * state.
 */
export async function recordedState(files: RunFiles): Promise<RunState> {
  const tail = logTail(files.events);
  await tail.next();
  if (!tail.state) throw dureError('E_RUN_NOT_FOUND', { run: runIdOf(files) });
  return tail.state;
}
