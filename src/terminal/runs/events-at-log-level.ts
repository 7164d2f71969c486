/** Filters events by severity, with `log_level` from the configuration as the minimum. */
import { LOG_LEVELS, meetsLogLevel } from '../../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import type { ProjectFiles } from '../../formats/layout.ts';
import { readRawConfig } from '../../workspace/project/read-raw-config.ts';

/**
 * Returns a function that tells whether an event meets the level. An unknown level in the configuration counts as the
 * default; `dure config check` reports it.
 */
export async function minimumLevel(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
  const written = (await readRawConfig(project, 'global'))['log_level'];
  const lowest = LOG_LEVELS.find(level => level === written) ?? 'info';
  return event => meetsLogLevel(event.type, lowest);
}
