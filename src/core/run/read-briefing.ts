/**
 * The run's briefing as the user wrote it. The log takes precedence, because an agent may have changed the file since.
 */
import type { RunEvent } from '../../formats/events.ts';
import { readText } from '../../formats/file.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { readEvents } from './run-store.ts';

export async function briefingOf(files: RunFiles, events?: readonly RunEvent[]): Promise<string> {
  const [first] = events ?? (await readEvents(files));
  const recorded = first?.type === 'run.started' ? first.briefing : undefined;
  return recorded ?? (await readText(files.raw).catch(() => null)) ?? '';
}
