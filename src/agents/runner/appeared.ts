/** Waits for a file that somebody is about to put there in one piece. */
import { watch } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Milliseconds between two looks, where the system does not tell of changes. */
const LOOK_MS = 200;

/** Returns when the file is there, when the time is up, or when `signal` fires. */
export async function appeared(file: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const until = Date.now() + withinMs;
  let wake = (): void => {};
  const watcher = watch(dirname(file), () => wake()).on('error', () => {});
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const changed = new Promise<void>(resolve => {
        wake = resolve;
      });
      const isThere = await access(file).then(
        () => true,
        () => false,
      );
      if (isThere || signal.aborted || Date.now() > until) return;
      const timer = setTimeout(() => wake(), LOOK_MS);
      await changed;
      clearTimeout(timer);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    watcher.close();
  }
}
