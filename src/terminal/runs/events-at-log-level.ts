/** Filters events by severity; `log_level` in the configuration is the minimum. */
import { LOG_LEVELS, meetsLogLevel } from '../../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { readRawConfig } from '../../workspace/project/read-raw-config.ts';

/** An unknown level counts as the default; `dure config check` reports it. */
export async function minimumLevel(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
  const written = (await readRawConfig(project, 'global'))['log_level'];
  const lowest = LOG_LEVELS.find(level => level === written) ?? 'info';
  return event => meetsLogLevel(event.type, lowest);
}
