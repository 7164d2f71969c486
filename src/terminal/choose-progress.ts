/**
 * Chooses the progress view that suits the output: an animated list in a terminal, or one line per event in pipes and
 * logs.
 */
import type { RunEvent } from '../formats/events/events.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { Progress } from './runs/run-progress.ts';
import { eventLine } from './views/event-line.ts';

const moves = () => process.stdout.isTTY === true && process.env['TERM'] !== 'dumb' && !process.env['CI'];

export async function chooseProgress(
  files: RunFiles,
  silent: boolean,
  write: (line: string) => void,
): Promise<Progress> {
  if (silent) return eventLines(() => {});
  if (!moves()) return eventLines(write);
  const { listProgress } = await import('./runs/run-progress.ts');
  return listProgress(files, write);
}

const eventLines = (write: (line: string) => void): Progress => ({
  show: async ({ events }) => {
    for (const event of events.filter(isNews)) write(eventLine(event));
  },
  pause: async () => {},
});

/** Leaves out successful exits, because the result of the launch has already been shown. */
const isNews = (event: RunEvent) => event.type !== 'agent.exited' || event.outcome !== 'ok';
