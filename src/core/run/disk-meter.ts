/**
 * Measures in the background how much disk space a run uses while it is driven. Measuring many files takes
 * seconds, so the pause after each measurement is twenty times as long as the measurement took.
 */
import { findCheckouts } from '../../workspace/checkout.ts';
import { diskUse } from '../../workspace/disk-use.ts';
import { stateFolder } from '../../workspace/user-state-folder.ts';
import type { Observation } from '../policy/observation.ts';
import type { RunContext } from './run-context.ts';

const MIN_PAUSE_MS = 2000;
const PAUSE_FACTOR = 20;

/** Returns a function that returns the latest measurement and starts the next one when it is due. */
export function diskMeter({ files, project, repo }: RunContext): () => Pick<Observation, 'disk'> {
  let latest: Pick<Observation, 'disk'> = {};
  let due = 0;
  const measure = async (): Promise<void> => {
    const at = new Date().toISOString();
    // Measured separately: du counts each file only once, and the project's runs include this one.
    const [own, all] = await Promise.all([
      findCheckouts(await stateFolder(repo.workTree), files.dir).then(found =>
        diskUse([files.dir, ...found]),
      ),
      diskUse([project.runs]),
    ]);
    const run_bytes = [...own.values()].reduce((sum, bytes) => sum + bytes, 0);
    latest = { disk: { at, run_bytes, project_bytes: all.get(project.runs) ?? 0 } };
  };
  return () => {
    if (performance.now() >= due) {
      const started = performance.now();
      due = Number.POSITIVE_INFINITY;
      // Ignores errors: if the project was moved or the state folder is unusable, other code reports the problem.
      void measure()
        .catch(() => {})
        .finally(() => {
          const ended = performance.now();
          due = ended + Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (ended - started));
        });
    }
    return latest;
  };
}
