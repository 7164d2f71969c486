/** Finds runs whose driver died or was told to stop. The next leader resumes them. */

import { isOver } from '../core/policy/state/phase.ts';
import { driverOf, readState, runIds } from '../core/run/run-store.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';

/** A run that has not changed for longer than this is resumed only on request. */
const FRESH_MS = 6 * 3_600_000;
/** Only the newest runs are checked: a project may have thousands. */
const MAX_RUNS = 200;

/** Each call checks the runs again, except those that are over or driven by this process. */
export function findOrphanedRuns(
  project: ProjectFiles,
  isDrivenHere: (id: string) => boolean,
): () => Promise<string[]> {
  const over = new Set<string>();

  const isOrphan = async (id: string): Promise<boolean> => {
    const files = runFiles(project.run(id));
    const state = await readState(files);
    if (!state) return false;
    if (isOver(state)) over.add(id);
    if (isOver(state) || Date.now() - Date.parse(state.updated_at) > FRESH_MS) return false;
    return (await driverOf(files).catch(unlessDiskFails(null))) === null;
  };

  return async () => {
    const ids = (await runIds(project)).slice(0, MAX_RUNS);
    const unknown = ids.filter(id => !over.has(id) && !isDrivenHere(id));
    const found = await Promise.all(
      unknown.map(async id => {
        // A run that cannot be read is reported when the user asks for it, not by the leader.
        return (await isOrphan(id).catch(() => false)) ? [id] : [];
      }),
    );
    return found.flat();
  };
}
