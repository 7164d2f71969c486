/** Short answers for eyes: the same views as in the commands. */
import type { RunEvent } from '../formats/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { eventLine } from '../terminal/event-line.ts';
import { historyView, LISTED, type Listed, history as listed, textOf } from '../terminal/history.ts';
import { loudness } from '../terminal/loud.ts';
import { statusView } from '../terminal/status-view.ts';
import { columns } from '../terminal/text.ts';

export function statusShown(files: RunFiles, state: RunState): string {
  const briefing = textOf(files.raw);
  return `${statusView(state, briefing, Date.now(), columns())}\n`;
}

export const history = (project: ProjectFiles, limit = LISTED): Promise<Listed[]> =>
  listed(project, limit, null);

export const historyShown = (runs: readonly Listed[]): string => `${historyView(runs, columns())}\n`;

export async function logShown(project: ProjectFiles, events: readonly RunEvent[]): Promise<string> {
  const lines = events.filter(await loudness(project)).map(eventLine);
  return lines.map(line => `${line}\n`).join('');
}
