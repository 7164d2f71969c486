/**
 * Watches a folder, if that is possible: the system limits the number of watches, and the folder may be
 * missing or be removed. A watch therefore only shortens the wait for the caller's own next check.
 */
import { watch } from 'node:fs';

/** Returns the function that ends the watch. Never throws. */
export function watchFolder(folder: string, changed: () => void): () => void {
  try {
    const watcher = watch(folder, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
