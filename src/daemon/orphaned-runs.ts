/** Finds runs whose driver died or was told to stop. The next leader resumes them. */

import { isOver } from '../core/policy/state/phase.ts';
import { driverOf, readState, runIds } from '../core/run/run-store.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../formats/layout.ts';

/** A run that has not changed for longer than this is resumed only on request. */
const FRESH_MS = 6 * 3_600_000;
/** Only the newest runs are checked: a project may have thousands. */
const MAX_RUNS = 200;

export async function findOrphanedRuns(
  project: ProjectFiles,
  isDrivenHere: (id: string) => boolean,
): Promise<string[]> {
  const ids = (await runIds(project)).slice(0, MAX_RUNS).filter(id => !isDrivenHere(id));
  // A run that cannot be read is reported when the user asks for it, not by the leader.
  const found = ids.map(async id => {
    const files = runFiles(project.run(id));
    return (await isOrphan(files).catch(() => false)) ? [id] : [];
  });
  return (await Promise.all(found)).flat();
}

async function isOrphan(files: RunFiles): Promise<boolean> {
  const state = await readState(files);
  if (!state || isOver(state) || Date.now() - Date.parse(state.updated_at) > FRESH_MS) return false;
  return (await driverOf(files).catch(unlessDiskFails(null))) === null;
}
