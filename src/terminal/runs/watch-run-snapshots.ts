/** Follows a run from another process: new events, its state, and whether it is driven. Read-only. */
import { isWaiting } from '../../core/policy/state/phase.ts';
import { readEvents, runStatus } from '../../core/run/run-store.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import { statsOfTarget } from '../../formats/file-system/path-status.ts';
import { folderSignals } from '../../formats/file-system/watch-folder.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';

export interface RunSnapshot {
  /** Events since the previous snapshot; all events in the first one. */
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly driven: boolean;
  /** As in `RunStatus`. */
  readonly suspended: number | null;
}

/** Returns a function that, called with every snapshot in order, returns its events after number `seq`. */
export function eventsAfter(seq: number): (snapshot: RunSnapshot) => readonly RunEvent[] {
  let seen = 0;
  return ({ events }) => {
    const later = events.slice(Math.max(0, seq - seen));
    seen += events.length;
    return later;
  };
}

const POLL_MS = 400;
/** Time for a standby process to take over; until it has passed, the run is not reported as interrupted. */
const TAKE_OVER_MS = 8000;
/** Like `TAKE_OVER_MS`, for a run that waited for the user: the process that wrote the decision may start a driver. */
const START_MS = 15_000;
/** Maximum number of times that a lost driver is restarted. */
const MAX_RESTARTS = 3;

/**
 * Yields snapshots until `signal` is aborted: at intervals, or sooner after a file event. If the driver is gone, waits
 * for another process to take over, then calls `restart` (if given) to start a driver, before reporting `interrupted`.
 */
export async function* watchRunSnapshots(
  files: RunFiles,
  signal: AbortSignal,
  restart: (() => Promise<void>) | null = null,
): AsyncGenerator<RunSnapshot> {
  const changes = folderSignals(files.dir);
  let log: RunEvent[] = [];
  let seen = 0;
  let size = -1;
  let restarts = 0;
  let lastDrivenAt = performance.now();
  try {
    while (!signal.aborted) {
      const now = (await statsOfTarget(files.events))?.size ?? 0;
      if (now !== size) log = await readEvents(files);
      size = now;
      const status = await runStatus(files);
      // If the driver has recorded more since then, read the log again: each state is reported with its events.
      if (status && status.state.seq > log.length) log = await readEvents(files);
      if (status) {
        const isLost = !status.driven && status.state.phase === 'interrupted';
        if (!isLost) lastDrivenAt = performance.now();
        const mayBeTakenOver =
          performance.now() - lastDrivenAt <
          (isWaiting(recordedState(status.state)) ? START_MS : TAKE_OVER_MS);
        if (isLost && !mayBeTakenOver && restart && restarts < MAX_RESTARTS) {
          restarts += 1;
          await restart();
          lastDrivenAt = performance.now();
          continue;
        }
        const state = mayBeTakenOver && isLost ? recordedState(status.state) : status.state;
        const events = log.slice(seen);
        seen = log.length;
        yield { events, state, driven: status.driven, suspended: status.suspended };
      }
      await changes.next(POLL_MS, signal);
    }
  } finally {
    changes.close();
  }
}

/** Returns the state with the phase before the interruption. Used while a takeover is still possible. */
const recordedState = (s: RunState): RunState =>
  s.phase === 'interrupted' && s.interrupted_from !== null ? { ...s, phase: s.interrupted_from } : s;
