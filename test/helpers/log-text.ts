/** The text of an events.log, for tests that write one themselves or forge one. */
import { createHash } from 'node:crypto';
import { FIRST_CHAIN, formatEvent } from '../../src/formats/events/event-log-lines.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';

type Chained = Parameters<typeof formatEvent>[3];

/** Chain values that any program can compute, because they need no key. */
export const chainWithoutKey: Chained = (before, line) =>
  createHash('sha256').update(`${before}\n${line}`).digest('hex').slice(0, 16);

export function logText(events: readonly RunEvent[], chained: Chained): string {
  let chain = FIRST_CHAIN;
  const lines = events.map((event, n) => {
    const next = formatEvent(event, n + 1, chain, chained);
    chain = next.chain;
    return `${next.line}\n`;
  });
  return lines.join('');
}

/** The same events, without the key that the first of them names. */
export const withoutKey = (events: readonly RunEvent[]): RunEvent[] =>
  events.map(event => {
    if (event.type !== 'run.started') return event;
    const { key: _, ...rest } = event;
    return rest as RunEvent;
  });
