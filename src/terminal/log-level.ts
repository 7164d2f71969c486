/** Filters events by severity; `log_level` in the configuration is the minimum. */

import { type Severity, severityOf } from '../formats/event-severity.ts';
import type { RunEvent } from '../formats/events.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readRawConfig } from '../workspace/project/raw-config.ts';

const LEVEL: Record<Severity, number> = { info: 1, success: 2, warning: 2, error: 3 };
/** An unknown level counts as the default; `dure config check` reports it. */
const MINIMUM_LEVELS = new Map<unknown, number>([
  ['debug', 0],
  ['info', 1],
  ['warn', 2],
  ['error', 3],
]);

export async function minimumLevel(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
  const written = (await readRawConfig(project, 'global'))['log_level'];
  const minimum = MINIMUM_LEVELS.get(written) ?? MINIMUM_LEVELS.get('info')!;
  return event => LEVEL[severityOf(event.type)] >= minimum;
}
