/** events.log, with every event checked against its shape. Lines are said in log-lines.ts. */
import { type RunEvent, runEvent } from './events.ts';
import { type ParsedLine, type ParsedLog, parseLine, parseLines } from './log-lines.ts';
import { problemsOf } from './schema-problems.ts';

export { FIRST_CHAIN, formatEvent, type ParsedLine, type ParsedLog } from './log-lines.ts';

/** Throws `SyntaxError` saying what is wrong with the line. */
export const parseEvent = (line: string, before: string): ParsedLine => parseLine(line, before, judged);

/** Reads a whole log. A torn last line (without its newline) is dropped; any other damage is named. */
export const parseLog = (text: string): ParsedLog => parseLines(text, judged);

function judged(read: Record<string, unknown>): RunEvent {
  const event = runEvent.safeParse(read);
  if (!event.success) throw new SyntaxError(problemsOf(event.error).replaceAll('\n', '; '));
  return event.data;
}
