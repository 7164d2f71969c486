/** Looking on at a run from outside: its log as it grows, its state, and whether anybody drives it. Reads only. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fold } from '../core/evolve.ts';
import { readEvents, standing } from '../core/run-store.ts';
import type { RunEvent } from '../formats/events.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { firstOf, within } from '../process/abort.ts';

export interface Look {
  /** What was recorded since the look before; with the first look, everything. */
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly driven: boolean;
}

const EVERY_MS = 400;
/** A standby driver takes over within this time; before it has passed a run is not called interrupted. */
const TAKE_OVER_MS = 8000;

/**
 * One look after the other until `signal` fires. A file event only shortens the time between looks.
 * A run that nobody drives is given the time of a take-over before its state says `interrupted`.
 */
export async function* looks(files: RunFiles, signal: AbortSignal): AsyncGenerator<Look> {
  const bell = hearing(files.dir);
  let log: RunEvent[] = [];
  let seen = 0;
  let size = -1;
  let lastDriven = Date.now();
  try {
    while (!signal.aborted) {
      const now = (await stat(files.events).catch(() => null))?.size ?? 0;
      if (now !== size) log = await readEvents(files);
      size = now;
      const stands = await standing(files);
      if (stands) {
        if (stands.driven) lastDriven = Date.now();
        const given = Date.now() - lastDriven < TAKE_OVER_MS;
        const state = given && !stands.driven ? held(stands.state) : stands.state;
        const events = log.slice(seen);
        seen = log.length;
        yield { events, state: abreast(state, log), driven: stands.driven };
      }
      await bell.wait(EVERY_MS, signal);
    }
  } finally {
    bell.close();
  }
}

/** How long a driver has to take up what a person left for it. */
const PATIENCE_MS = 60_000;

/** The first state that `reached` accepts, or null when a signal came or the time is up. `patience` null: no limit. */
export async function stateWhen(
  files: RunFiles,
  reached: (look: Look) => boolean,
  signal: AbortSignal,
  patience: number | null = PATIENCE_MS,
): Promise<RunState | null> {
  const until = patience === null ? firstOf(signal) : within(patience, signal);
  try {
    for await (const look of looks(files, until.signal)) if (reached(look)) return look.state;
    return null;
  } finally {
    until.release();
  }
}

/** The log is written before the state: between the two, the state is what the log says. */
const abreast = (s: RunState, log: readonly RunEvent[]): RunState =>
  s.seq < log.length && s.phase !== 'interrupted' ? fold(log) : s;

/** The state as it was written, while somebody may still take over. */
const held = (s: RunState): RunState =>
  s.phase === 'interrupted' && s.interrupted_from !== null ? { ...s, phase: s.interrupted_from } : s;

function hearing(dir: string): { wait(ms: number, signal: AbortSignal): Promise<void>; close(): void } {
  let ring = () => {};
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(dir, () => ring());
    watcher.on('error', () => {});
  } catch {
    // Without watches (their number is limited) the looks come at their own pace.
  }
  return {
    async wait(ms, signal) {
      const rung = new Promise<void>(resolve => {
        ring = resolve;
      });
      const enough = new AbortController();
      const either = firstOf(signal, enough.signal);
      await Promise.race([rung, pause(ms, undefined, { signal: either.signal }).catch(() => {})]);
      enough.abort();
      either.release();
    },
    close: () => watcher?.close(),
  };
}
