/**
 * Signals when to observe again: a file changed, or time passed. A missed signal costs a second, or more while only a
 * new file can change anything.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { folderSignals } from '../../formats/file-system/watch-folder.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { Setup } from '../../formats/state.ts';

export interface WakeSources {
  readonly folders: readonly string[];
  /** Milliseconds between two observations without a signal. */
  readonly everyMs: number;
  /** Whether only a new file can change anything. If so, the timer is slower and only checks modification times. */
  readonly isIdle: () => boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds between two checks of the folders while idle. */
const IDLE_POLL_MS = 20_000;
/** Milliseconds after which the loop observes even without a change, because modification times are coarse. */
const MAX_INTERVAL_MS = 600_000;

/** Yields immediately, then after each signal; simultaneous signals are merged. Ends when `signal` is aborted. */
export async function* wakeSignals({ folders, everyMs, isIdle, signal }: WakeSources): AsyncGenerator<void> {
  const changes = folderSignals(...folders);
  try {
    while (!signal.aborted) {
      const observedAt = performance.now();
      /** Modification times before the observation; null unless the run was idle then. */
      const seen = isIdle() ? timesOf(folders) : null;
      yield;
      const isDue = () =>
        !isIdle() || timesOf(folders) !== seen || performance.now() - observedAt > MAX_INTERVAL_MS;
      let isWoken = false;
      while (!isWoken && !signal.aborted)
        isWoken = (await changes.next(isIdle() ? IDLE_POLL_MS : everyMs, signal)) || isDue();
    }
  } finally {
    changes.close();
  }
}

/** Returns the modification times of folders, which change when a file in them is created, replaced or removed. */
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
