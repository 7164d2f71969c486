/** Hints to look again: a file changed, time passed, somebody called. Hints, never facts: a missed one costs a second. */
import { type FSWatcher, watch } from 'node:fs';

export interface Wakes extends AsyncIterable<void> {
  /** One more look, please. */
  call(): void;
  close(): void;
}

/** Yields at once, then after each hint; several hints in one breath are one. Ends when `signal` fires. */
export function wakes(folders: readonly string[], everyMs: number, signal: AbortSignal): Wakes {
  let called = true;
  let wake: (() => void) | null = null;
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
  const timer = setInterval(call, everyMs);
  signal.addEventListener('abort', call, { once: true });
  const close = () => {
    clearInterval(timer);
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
            await new Promise<void>(resolve => {
              wake = resolve;
            });
            wake = null;
          }
          if (signal.aborted) return;
          called = false;
          yield;
        }
      } finally {
        close();
      }
    },
  };
}
