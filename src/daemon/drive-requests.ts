/** Requests for a driver: one file per run, written by any process and picked up by the leader. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runId } from '../formats/common-fields.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { create } from '../formats/read-and-write-files.ts';
import { watchFolder } from '../process/watch-folder.ts';

export async function requestDrive(project: ProjectFiles, run: string): Promise<void> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  await create(join(project.calls, run), '');
}

/** Whether there is a request for a driver. */
export const isDriveRequested = async (project: ProjectFiles): Promise<boolean> =>
  (await waiting(project)).length > 0;

/** Picks up all requests. The next call finds any that arrive in the meantime. */
export async function takeDriveRequests(project: ProjectFiles): Promise<string[]> {
  const runs = await waiting(project);
  for (const run of runs) await rm(join(project.calls, run), { force: true });
  return runs;
}

async function waiting(project: ProjectFiles): Promise<string[]> {
  const names = await readdir(project.calls).catch(() => [] as string[]);
  return names.filter(name => runId.safeParse(name).success);
}

export interface DriveRequests {
  /** Resolves when there may be a request, after a while, or when the signal fires. */
  next(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Watches for requests. A missed event costs `everyMs`. */
export async function watchDriveRequests(project: ProjectFiles, everyMs: number): Promise<DriveRequests> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  let notified = false;
  let wake = (): void => {};
  const close = watchFolder(project.calls, () => {
    notified = true;
    wake();
  });
  return {
    async next(signal) {
      if (!notified && !signal.aborted) {
        const called = new Promise<void>(resolve => {
          wake = resolve;
        });
        const timer = setTimeout(wake, everyMs);
        signal.addEventListener('abort', wake);
        await called;
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
      }
      notified = false;
    },
    close,
  };
}
