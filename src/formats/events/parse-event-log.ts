/** Reads events.log and validates every event. The line syntax is in event-log-lines.ts. */

import { problemsOf } from '../schema/schema-problems.ts';
import {
  type Chain,
  type ChainKey,
  type ParsedLine,
  type ParsedLog,
  parseLine,
  parseLines,
} from './event-log-lines.ts';
import { type RunEvent, runEvent } from './events.ts';

/** Throws a `SyntaxError` that describes the problem. */
export const parseEvent = (line: string, before: string, chained: Chain): ParsedLine =>
  parseLine(line, before, validated, chained);

/** See `parseLines`. */
export const parseLog = (text: string, keys: readonly ChainKey[] = []): ParsedLog =>
  parseLines(text, validated, keys);

function validated(read: Record<string, unknown>): RunEvent {
  const event = runEvent.safeParse(read);
  if (!event.success) throw new SyntaxError(problemsOf(event.error).replaceAll('\n', '; '));
  return event.data;
}
