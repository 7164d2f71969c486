/** Runs whose driver died, or was asked to end: whoever leads next goes on with them. */

import { isOver } from '../core/phase.ts';
import { driverOf, readState, runIds } from '../core/run-store.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';

/** A run that nobody touched for longer is gone on with when a person asks for it. */
const FRESH_MS = 6 * 3_600_000;
/** Newest runs that are looked at: a project may have thousands. */
const LOOK_AT = 200;

/** Looks for them, each time it is called. Runs that are driven here or over are not read again. */
export function orphanSearch(
  project: ProjectFiles,
  isDrivenHere: (id: string) => boolean,
): () => Promise<string[]> {
  const over = new Set<string>();

  const isOrphan = async (id: string): Promise<boolean> => {
    const files = runFiles(project.run(id));
    // A run that cannot be read is for the person who asks for it, not for the one who leads.
    const state = await readState(files).catch(() => null);
    if (!state) return false;
    if (isOver(state)) over.add(id);
    if (isOver(state) || Date.now() - Date.parse(state.updated_at) > FRESH_MS) return false;
    return (await driverOf(files).catch(() => null)) === null;
  };

  return async () => {
    const ids = (await runIds(project)).slice(0, LOOK_AT);
    const unknown = ids.filter(id => !over.has(id) && !isDrivenHere(id));
    const found = await Promise.all(unknown.map(async id => ((await isOrphan(id)) ? [id] : [])));
    return found.flat();
  };
}
