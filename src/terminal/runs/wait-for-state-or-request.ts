/** Waits until a run reaches a state, or until a request is handled. */

import { setTimeout as pause } from 'node:timers/promises';
import { isOver } from '../../core/policy/state/phase.ts';
import { savedState } from '../../core/run/record/read-run-record.ts';
import { dureError } from '../../errors.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { anySignal, timeLimit } from '../../process/abort-signals-and-timeouts.ts';
import { type RunSnapshot, watchRunSnapshots } from './watch-run-snapshots.ts';

/** How long to wait for the driver to process a request. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Returns the first state that `isReached` accepts, or null after a signal or a timeout. If `timeoutMs` is null, there
 * is no timeout. `restart`: see `watchRunSnapshots`.
 */
export async function waitForState(
  files: RunFiles,
  isReached: (snapshot: RunSnapshot) => boolean,
  signal: AbortSignal,
  timeoutMs: number | null = REQUEST_TIMEOUT_MS,
  restart: (() => Promise<void>) | null = null,
): Promise<RunState | null> {
  const until = timeoutMs === null ? anySignal(signal) : timeLimit(timeoutMs, signal);
  try {
    for await (const snapshot of watchRunSnapshots(files, until.signal, restart))
      if (isReached(snapshot)) {
        await waitUntilSaved(files, snapshot.state);
        return snapshot.state;
      }
    return null;
  } finally {
    until.release();
  }
}

/**
 * Returns the first state in which a request has been processed, or null after a signal or a timeout. `restart`: see
 * `watchRunSnapshots`. Throws `E_TOO_LATE` if the run ended first.
 */
export async function waitForRequest(
  files: RunFiles,
  isProcessed: (snapshot: RunSnapshot) => boolean,
  signal: AbortSignal,
  restart: (() => Promise<void>) | null = null,
): Promise<RunState | null> {
  let wasProcessed = false;
  const isSettled = (snapshot: RunSnapshot): boolean => {
    wasProcessed = isProcessed(snapshot);
    return wasProcessed || isOver(snapshot.state);
  };
  const now = await waitForState(files, isSettled, signal, REQUEST_TIMEOUT_MS, restart);
  if (now && !wasProcessed) throw dureError('E_TOO_LATE', { run: now.run_id, phase: now.phase });
  return now;
}

/** Maximum milliseconds between recording an event and saving the state. */
const SAVE_MS = 3000;

/** Waits until state.json, which is written after the log, contains this state: scripts read it after a command. */
async function waitUntilSaved(files: RunFiles, { seq }: RunState): Promise<void> {
  for (const until = performance.now() + SAVE_MS; performance.now() < until; await pause(20)) {
    const { state } = await savedState(files);
    if (state && state.seq >= seq) return;
  }
}
