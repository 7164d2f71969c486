/** Follows a run from another process: new events, its state, and whether it is driven. Read-only. */
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isWaiting } from '../core/policy/phase.ts';
import { savedState } from '../core/run/read-run-record.ts';
import { readEvents, runStatus } from '../core/run/run-store.ts';
import type { RunEvent } from '../formats/events.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { anySignal, timeLimit } from '../process/abort-signal.ts';
import { watchFolder } from '../process/watch-folder.ts';

export interface RunLook {
  /** Events since the previous snapshot; all events in the first one. */
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly driven: boolean;
}

const EVERY_MS = 400;
/** Time for a standby process to take over; until it has passed, the run is not reported as interrupted. */
const TAKE_OVER_MS = 8000;
/** The same for a run that was waiting for the user: the process that wrote the decision may be starting a driver. */
const START_MS = 15_000;
/** How many times a lost driver is restarted. */
const MOST_RESTARTS = 3;

/**
 * Yields snapshots until `signal` is aborted. A file event only shortens the interval. If the driver is gone, waits for
 * another process to take over, then calls `restart` (if given) to start a driver, before reporting `interrupted`.
 */
export async function* snapshots(
  files: RunFiles,
  signal: AbortSignal,
  restart: (() => Promise<void>) | null = null,
): AsyncGenerator<RunLook> {
  const watcher = watchRun(files.dir);
  let log: RunEvent[] = [];
  let seen = 0;
  let size = -1;
  let restarts = 0;
  let lastGood = performance.now();
  try {
    while (!signal.aborted) {
      const now = (await stat(files.events).catch(() => null))?.size ?? 0;
      if (now !== size) log = await readEvents(files);
      size = now;
      const status = await runStatus(files);
      // The driver has recorded more since the log was read: no state is reported without its events.
      if (status && status.state.seq > log.length) log = await readEvents(files);
      if (status) {
        const isLost = !status.driven && status.state.phase === 'interrupted';
        if (!isLost) lastGood = performance.now();
        const given =
          performance.now() - lastGood < (isWaiting(held(status.state)) ? START_MS : TAKE_OVER_MS);
        if (isLost && !given && restart && restarts < MOST_RESTARTS) {
          restarts += 1;
          await restart();
          lastGood = performance.now();
          continue;
        }
        const state = given && isLost ? held(status.state) : status.state;
        const events = log.slice(seen);
        seen = log.length;
        yield { events, state, driven: status.driven };
      }
      await watcher.wait(EVERY_MS, signal);
    }
  } finally {
    watcher.close();
  }
}

/** How long to wait for the driver to process a request. */
export const TAKEN_MS = 60_000;

/**
 * The first state that `reached` accepts, or null after a signal or when the time has run out. `patience`:
 * null means no limit. `restart`: as for `snapshots`.
 */
export async function waitForState(
  files: RunFiles,
  reached: (look: RunLook) => boolean,
  signal: AbortSignal,
  patience: number | null = TAKEN_MS,
  restart: (() => Promise<void>) | null = null,
): Promise<RunState | null> {
  const until = patience === null ? anySignal(signal) : timeLimit(patience, signal);
  try {
    for await (const look of snapshots(files, until.signal, restart))
      if (reached(look)) {
        await stateSaved(files, look.state);
        return look.state;
      }
    return null;
  } finally {
    until.release();
  }
}

/** Maximum milliseconds between recording an event and saving the state. */
const SAVE_MS = 3000;

/** The log is written first. A script that reads state.json after a command must not find an earlier state. */
async function stateSaved(files: RunFiles, { seq }: RunState): Promise<void> {
  for (const until = performance.now() + SAVE_MS; performance.now() < until; await pause(20)) {
    const { state } = await savedState(files);
    if (state && state.seq >= seq) return;
  }
}

/** The recorded state, used while a takeover is still possible. */
const held = (s: RunState): RunState =>
  s.phase === 'interrupted' && s.interrupted_from !== null ? { ...s, phase: s.interrupted_from } : s;

function watchRun(dir: string): { wait(ms: number, signal: AbortSignal): Promise<void>; close(): void } {
  let ring = () => {};
  const close = watchFolder(dir, () => ring());
  return {
    async wait(ms, signal) {
      const rung = new Promise<void>(resolve => {
        ring = resolve;
      });
      const stopped = new AbortController();
      const either = anySignal(signal, stopped.signal);
      await Promise.race([rung, pause(ms, undefined, { signal: either.signal }).catch(() => {})]);
      stopped.abort();
      either.release();
    },
    close,
  };
}
