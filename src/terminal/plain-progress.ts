/** Progress for pipes and logs: one line per event, no animation. */
import type { RunEvent } from '../formats/events.ts';
import { eventLine } from './event-line.ts';
import type { Progress } from './progress.ts';

export const eventLines = (write: (line: string) => void): Progress => ({
  show: async ({ events }) => {
    for (const event of events.filter(isNews)) write(eventLine(event));
  },
  rest: async () => {},
});

/** The end of a process is not shown, because its result has already been shown. */
const isNews = (event: RunEvent) => event.type !== 'agent.exited' || event.outcome !== 'ok';
