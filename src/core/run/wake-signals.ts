/**
 * Hints to look again: a file changed, time passed, somebody called. Hints, never facts: a missed one costs a second,
 * or some more where only a file can bring news.
 */
import { type FSWatcher, statSync, watch } from 'node:fs';

export interface WakeSignals extends AsyncIterable<void> {
  /** One more look, please. */
  call(): void;
  close(): void;
}

export interface WakeSources {
  readonly folders: readonly string[];
  /** Milliseconds between two looks without a hint. */
  readonly everyMs: number;
  /** Whether nothing can happen now but by a file: then the timer looks at the folders' times, and less often. */
  readonly resting: () => boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at the folders while nothing can happen but by a file. */
const RESTING_MS = 20_000;
/** Milliseconds after which there is a look in any case: the times of folders are coarse. */
const LOOK_AFTER_MS = 600_000;

/** Yields at once, then after each hint; several hints in one breath are one. Ends when `signal` fires. */
export function wakeSignals({ folders, everyMs, resting, signal }: WakeSources): WakeSignals {
  let called = true;
  let wake: (() => void) | null = null;
  /** Times of the folders before the last look; null when it is not known what that look has seen. */
  let seen: string | null = null;
  let lookedAt = Date.now();
  const call = () => {
    called = true;
    wake?.();
  };
  const watchers: FSWatcher[] = [];
  for (const folder of folders) {
    try {
      const watcher = watch(folder, call);
      // A folder that is taken away, or a system without watches left: the timer remains.
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // Same: the timer remains.
    }
  }
  let timer: NodeJS.Timeout | null = null;
  const wait = () => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(tick, resting() ? RESTING_MS : everyMs);
  };
  const tick = () => {
    if (!resting() || timesOf(folders) !== seen || Date.now() - lookedAt > LOOK_AFTER_MS) call();
    else wait();
  };
  signal.addEventListener('abort', call, { once: true });
  const close = () => {
    if (timer) clearTimeout(timer);
    signal.removeEventListener('abort', call);
    for (const watcher of watchers) watcher.close();
    wake?.();
  };
  return {
    call,
    close,
    async *[Symbol.asyncIterator]() {
      try {
        while (!signal.aborted) {
          if (!called) {
            wait();
            await new Promise<void>(resolve => {
              wake = resolve;
            });
            wake = null;
          }
          if (signal.aborted) return;
          called = false;
          lookedAt = Date.now();
          seen = resting() ? timesOf(folders) : null;
          yield;
        }
      } finally {
        close();
      }
    },
  };
}

/** What is made, replaced or removed in a folder changes its time. */
const timesOf = (folders: readonly string[]): string =>
  folders.map(folder => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
