/** Calls for a driver: a file a run, left by whoever wants it driven, taken by the one who leads the project. */
import { watch } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runId } from '../formats/define.ts';
import { create } from '../formats/file.ts';
import type { ProjectFiles } from '../formats/layout.ts';

export async function callFor(project: ProjectFiles, run: string): Promise<void> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  await create(join(project.calls, run), '');
}

/** Whether somebody waits for a driver. */
export const isCalled = async (project: ProjectFiles): Promise<boolean> =>
  (await waiting(project)).length > 0;

/** Takes all calls. One that comes meanwhile is there at the next look. */
export async function takeCalls(project: ProjectFiles): Promise<string[]> {
  const runs = await waiting(project);
  for (const run of runs) await rm(join(project.calls, run), { force: true });
  return runs;
}

async function waiting(project: ProjectFiles): Promise<string[]> {
  const names = await readdir(project.calls).catch(() => [] as string[]);
  return names.filter(name => runId.safeParse(name).success);
}

export interface CallsHeard {
  /** Resolves when there may be a call, after a while, or when the signal fires. */
  next(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Hears of calls as they are left. One that is missed costs `everyMs`. */
export async function hearCalls(project: ProjectFiles, everyMs: number): Promise<CallsHeard> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  let heard = false;
  let wake = (): void => {};
  const watcher = watch(project.calls, () => {
    heard = true;
    wake();
  });
  // The folder is gone, or there are no watches left: the time between two looks remains.
  watcher.on('error', () => watcher.close());
  return {
    async next(signal) {
      if (!heard && !signal.aborted) {
        const called = new Promise<void>(resolve => {
          wake = resolve;
        });
        const timer = setTimeout(wake, everyMs);
        signal.addEventListener('abort', wake);
        await called;
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
      }
      heard = false;
    },
    close: () => watcher.close(),
  };
}
