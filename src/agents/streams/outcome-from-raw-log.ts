/** Accounts for a launch without an exit record, from its raw log. */
import { createReadStream } from 'node:fs';
import { parseJsonLine } from '../../formats/json-access.ts';
import { initialStream, readStreamLine, type StreamSummary, streamSummary } from './claude-stream-summary.ts';
import { splitLines } from './split-lines.ts';

export const LINE_LIMIT = 16_000_000;

/** A missing log counts as empty. */
export async function summaryFromLog(file: string): Promise<StreamSummary> {
  const split = splitLines(LINE_LIMIT);
  let acc = initialStream();
  const readLine = (line: string): void => {
    const event = parseJsonLine(line);
    if (event) acc = readStreamLine(acc, event);
  };
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' }))
      split.push(String(chunk)).forEach(readLine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  split.remainder().forEach(readLine);
  return streamSummary(acc);
}
