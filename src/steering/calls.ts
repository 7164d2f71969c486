/** Calls for a driver: a file a run, left by whoever wants it driven, taken by the one who leads the project. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runId } from '../formats/define.ts';
import { create } from '../formats/file.ts';
import type { ProjectFiles } from '../formats/layout.ts';

export async function callFor(project: ProjectFiles, run: string): Promise<void> {
  await mkdir(project.calls, { recursive: true, mode: 0o700 });
  await create(join(project.calls, run), '');
}

/** Takes all calls. One that comes meanwhile is there at the next look. */
export async function takeCalls(project: ProjectFiles): Promise<string[]> {
  const names = await readdir(project.calls).catch(() => [] as string[]);
  const runs = names.filter(name => runId.safeParse(name).success);
  for (const run of runs) await rm(join(project.calls, run), { force: true });
  return runs;
}
