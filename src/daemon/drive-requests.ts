/** Requests for a driver: one file per run, written by any process and picked up by the leader. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../formats/file-system/path-status.ts';
import { type FolderSignals, folderSignals } from '../formats/file-system/watch-folder.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { create } from '../formats/read-and-write-files.ts';
import { runId } from '../formats/schema/common-fields.ts';

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
  const names = await namesIn(project.calls);
  return names.filter(name => runId.safeParse(name).success);
}

/** Signals when there may be a request. */
export async function watchDriveRequests(project: ProjectFiles): Promise<FolderSignals> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  return folderSignals(project.calls);
}
