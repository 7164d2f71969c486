/**
 * Signals when to observe again: a file changed, time passed, or another part requested it. A missed signal costs a
 * second, or more while only a new file can change anything.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watchFolder } from '../../formats/file-system/watch-folder.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { Setup } from '../../formats/state.ts';

export interface WakeSignals extends AsyncIterable<void> {
  /** Requests an observation. */
  trigger(): void;
  close(): void;
}

export interface WakeSources {
  readonly folders: readonly string[];
  /** Milliseconds between two observations without a signal. */
  readonly everyMs: number;
  /** Whether only a new file can change anything: then the timer checks the folders' modification times, less often. */
  readonly isIdle: () => boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds between two checks of the folders while resting. */
const IDLE_POLL_MS = 20_000;
/** Milliseconds after which an observation is made in any case, because modification times are coarse. */
const MAX_INTERVAL_MS = 600_000;

/**
 * Yields immediately, then after each signal; simultaneous signals are merged. Ends when `signal` is aborted.
 */
export function wakeSignals({ folders, everyMs, isIdle, signal }: WakeSources): WakeSignals {
  let triggered = true;
  let resolveWait: (() => void) | null = null;
  /** Modification times before the last observation; null if unknown. */
  let seen: string | null = null;
  let observedAt = performance.now();
  const trigger = () => {
    triggered = true;
    resolveWait?.();
  };
  const watches = folders.map(folder => watchFolder(folder, trigger));
  let timer: NodeJS.Timeout | null = null;
  const wait = () => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(tick, isIdle() ? IDLE_POLL_MS : everyMs);
  };
  const tick = () => {
    if (!isIdle() || timesOf(folders) !== seen || performance.now() - observedAt > MAX_INTERVAL_MS) trigger();
    else wait();
  };
  signal.addEventListener('abort', trigger, { once: true });
  const close = () => {
    if (timer) clearTimeout(timer);
    signal.removeEventListener('abort', trigger);
    for (const end of watches) end();
    resolveWait?.();
  };
  return {
    trigger,
    close,
    async *[Symbol.asyncIterator]() {
      try {
        while (!signal.aborted) {
          if (!triggered) {
            wait();
            await new Promise<void>(resolve => {
              resolveWait = resolve;
            });
            resolveWait = null;
          }
          if (signal.aborted) return;
          triggered = false;
          observedAt = performance.now();
          seen = isIdle() ? timesOf(folders) : null;
          yield;
        }
      } finally {
        close();
      }
    },
  };
}

/** Creating, replacing or removing a file changes the modification time of its folder. */
const timesOf = (folders: readonly string[]): string =>
  folders.map(folder => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();

/** Folders whose changes wake the driver; created before anything is written to them. */
export const watchedFolders = (files: RunFiles, setup: Setup): string[] => [
  ...new Set([
    ...setup.pipeline.map(step => join(files.dir, step.folder)),
    files.launches,
    files.crps,
    files.vcrs,
    files.requests,
    files.feedback,
    files.logs,
    files.prompts,
    files.sealed,
  ]),
];
