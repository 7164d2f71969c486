/**
 * Watches a folder, if that is possible: the system limits the number of watches, and the folder may be
 * missing or be removed. A watch therefore only shortens the wait for the caller's own next check.
 */
import { watch } from 'node:fs';

/** Returns the function that ends the watch. Never throws. */
function watchFolder(folder: string, changed: () => void): () => void {
  try {
    const watcher = watch(folder, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

/** Signals when to look at folders again. */
export interface FolderSignals {
  /**
   * Resolves when something has changed since the last call resolved, after `ms`, or when the signal fires. A change
   * made while the caller looks at the folders is kept for the next call. True if something has changed.
   */
  next(ms: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export function folderSignals(...folders: readonly string[]): FolderSignals {
  let changed = false;
  let wake = (): void => {};
  const watches = folders.map(folder =>
    watchFolder(folder, () => {
      changed = true;
      wake();
    }),
  );
  return {
    async next(ms, signal) {
      if (!changed && !signal.aborted) {
        const woken = new Promise<void>(resolve => {
          wake = resolve;
        });
        const timer = setTimeout(wake, ms);
        signal.addEventListener('abort', wake);
        await woken;
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
      }
      const hasChanged = changed;
      changed = false;
      return hasChanged;
    },
    close() {
      for (const end of watches) end();
    },
  };
}
