/** Which events are loud enough to be shown: `log_level` of the configuration is the least. */
import type { RunEvent } from '../formats/events.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { type Severity, severityOf } from '../formats/severity.ts';
import { readWritten } from '../written.ts';

const LEVEL: Record<Severity, number> = { info: 1, success: 2, warning: 2, error: 3 };
/** A level that is not known counts as the default; `dure config check` names it. */
const LEAST = new Map<unknown, number>([
  ['debug', 0],
  ['info', 1],
  ['warn', 2],
  ['error', 3],
]);

export async function loudness(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
  const written = (await readWritten(project, 'global'))['log_level'];
  const least = LEAST.get(written) ?? LEAST.get('info')!;
  return event => LEVEL[severityOf(event.type)] >= least;
}
