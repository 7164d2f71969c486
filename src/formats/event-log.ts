/** Reads events.log and validates every event. The line syntax is in event-log-lines.ts. */

import { type ParsedLine, type ParsedLog, parseLine, parseLines } from './event-log-lines.ts';
import { type RunEvent, runEvent } from './events.ts';
import { problemsOf } from './schema-problems.ts';

export { FIRST_CHAIN, formatEvent, type ParsedLine, type ParsedLog } from './event-log-lines.ts';

/** Throws `SyntaxError` with the problem. */
export const parseEvent = (line: string, before: string): ParsedLine => parseLine(line, before, validated);

/** Reads a whole log. An incomplete last line (without its newline) is dropped; any other damage is reported. */
export const parseLog = (text: string): ParsedLog => parseLines(text, validated);

function validated(read: Record<string, unknown>): RunEvent {
  const event = runEvent.safeParse(read);
  if (!event.success) throw new SyntaxError(problemsOf(event.error).replaceAll('\n', '; '));
  return event.data;
}
