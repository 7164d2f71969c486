/** Progress for pipes and logs: one line for each event, nothing that moves. */
import type { RunEvent } from '../formats/events.ts';
import { eventLine } from './event-line.ts';
import type { Progress } from './progress.ts';

export const eventLines = (write: (line: string) => void): Progress => ({
  show: async ({ events }) => {
    for (const event of events.filter(isNews)) write(eventLine(event));
  },
  rest: async () => {},
});

/** That a process ended is bookkeeping: its result has been said. */
const isNews = (event: RunEvent) => event.type !== 'agent.exited' || event.outcome !== 'ok';
