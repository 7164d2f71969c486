/** A runner that was called before its launch is written waits for it here, as long as there is somebody to write it. */
import { watch } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Driver } from '../../formats/driver.ts';
import { readText } from '../../formats/file.ts';
import { type RunFiles, runFiles } from '../../formats/layout.ts';
import { isAlive } from '../identity.ts';

/** Milliseconds that a runner waits for its launch. */
export const AHEAD_MS = 30_000;
/** Milliseconds between two looks when nothing is heard of a change. */
const LOOK_MS = 250;

/** Returns when the launch is written, or when there is no sense in waiting for it any more. */
export async function awaitLaunch(runDir: string, n: number, asked: AbortSignal): Promise<void> {
  const files = runFiles(runDir);
  const until = Date.now() + AHEAD_MS;
  let wake = (): void => {};
  const watcher = watch(files.launches, () => wake()).on('error', () => {});
  const onAsked = (): void => wake();
  asked.addEventListener('abort', onAsked);
  try {
    for (;;) {
      const changed = new Promise<void>(resolve => {
        wake = resolve;
      });
      if (await isThere(files.launch(n))) return;
      if (asked.aborted || Date.now() > until || !(await isDriven(files))) return;
      const timer = setTimeout(() => wake(), LOOK_MS);
      await changed;
      clearTimeout(timer);
    }
  } finally {
    asked.removeEventListener('abort', onAsked);
    watcher.close();
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const isDriven = (files: RunFiles): Promise<boolean> =>
  readText(files.driver)
    .then(text => text !== null && isAlive((JSON.parse(text) as Driver).process))
    .catch(() => false);
