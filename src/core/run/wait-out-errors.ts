/**
 * A driver waits while an error prevents its work, or keeps it from starting: a disk error for as long as it lasts, and
 * any other error, such as one from git, for a few minutes. The user is told once what is wrong, even if the log itself
 * cannot be written. An error that disappears within a second is not reported.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { DureError } from '../../errors.ts';
import type { EventOf, RunEvent } from '../../formats/events/events.ts';
import { fileSystemOf } from '../../formats/file-system/find-file-system.ts';
import { exists } from '../../formats/file-system/path-status.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { evolve } from '../policy/evolve.ts';
import { isOver, isWaiting } from '../policy/state/phase.ts';
import { eventWithoutSecrets } from './record/redact-event-secrets.ts';
import { type Journal, readState } from './run-store.ts';

export interface ErrorWait {
  readonly files: RunFiles;
  /** Null until the driver has opened the log. Until then, nothing can be recorded. */
  readonly journal: () => Journal | null;
  readonly signal: AbortSignal;
  /** `recorded` is false for an event that could not be written to the log. */
  readonly notify: (event: RunEvent, state: RunState, recorded: boolean) => void;
  /** Milliseconds after which an error other than a disk error is thrown. Default: `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const MESSAGE_LENGTH = 2000;

/** `folder` is used if the error does not name a path. */
async function delayedBy(error: unknown, folder: string): Promise<EventOf<'run.delayed'>> {
  const fault = diskFault(error);
  const file = fault?.file ?? folder;
  const system = fault && (await fileSystemOf(file));
  return {
    at: new Date().toISOString(),
    type: 'run.delayed',
    file,
    why: fault?.why ?? 'an unexpected error',
    file_system: system?.name ?? null,
    free_bytes: system?.free ?? null,
    ...(!fault && { message: messageOf(error) }),
  };
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_LENGTH);

/** Errors that do not go away: a person has to repair the run with a command, or this process must not drive it. */
const LASTING = ['E_LOG_CORRUPT', 'E_KEY', 'E_DRIVER_ALIVE', 'E_RUN_NOT_FOUND'];

/**
 * Returns a function that retries `work` until it succeeds. An error that lasts longer than `patienceMs` is recorded as
 * an interruption of the run, and thrown.
 */
export function waitOutErrors({ files, journal, signal, notify, patienceMs = PATIENCE_MS }: ErrorWait) {
  let failures = 0;
  /** When an error other than a disk error first occurred. */
  let since: number | null = null;
  const currentState = async (): Promise<RunState | null> =>
    journal()?.state ?? (await readState(files).catch(() => null));
  const record = async (before: RunState, planned: RunEvent): Promise<void> => {
    const event = eventWithoutSecrets(planned);
    // Even if the log cannot be written, the event is still shown.
    const state =
      (await journal()
        ?.append(event)
        .catch(() => null)) ?? null;
    notify(event, state ?? evolve(before, event), state !== null);
  };
  const recordDelay = async (error: unknown): Promise<void> => {
    failures += 1;
    if (failures !== 2) return;
    const state = await currentState();
    if (state && !state.blocked && !isOver(state)) await record(state, await delayedBy(error, files.dir));
  };
  const recordInterruption = async (error: unknown): Promise<void> => {
    const state = await currentState();
    // A run that waits for a person is still waiting, and has nothing to interrupt.
    if (!state || isOver(state) || isWaiting(state) || state.phase === 'interrupted') return;
    await record(state, {
      at: new Date().toISOString(),
      type: 'run.interrupted',
      phase: state.phase,
      reason: messageOf(error),
      driven: true,
    });
  };
  const mayPass = async (error: unknown): Promise<boolean> =>
    diskFault(error) !== null ||
    (!(error instanceof DureError && LASTING.includes(error.code)) &&
      (await exists(files.dir).catch(() => true)));
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = await work();
    failures = 0;
    since = null;
    const state = journal()?.state;
    if (state?.blocked && !isOver(state))
      await record(state, { at: new Date().toISOString(), type: 'run.continued' });
    return done;
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    let pauseMs = 0;
    for (;;) {
      try {
        return await attempt(work);
      } catch (error) {
        if (signal.aborted || !(await mayPass(error))) throw error;
        const isDisk = diskFault(error) !== null;
        since = isDisk ? null : (since ?? performance.now());
        await recordDelay(error);
        if (since !== null && performance.now() - since >= patienceMs) {
          await recordInterruption(error);
          throw error;
        }
        pauseMs = isDisk ? FIRST_PAUSE_MS : Math.min(2 * pauseMs || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        await pause(pauseMs, null, { signal }).catch(() => null);
      }
    }
  };
}
