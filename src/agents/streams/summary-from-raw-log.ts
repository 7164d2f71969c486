/** Summarizes a launch that has no exit record, from its raw log. */

import { openText } from '../../formats/read-untrusted-files.ts';
import { parseJsonLine } from '../../formats/schema/json-access.ts';
import { initialStream, readStreamLine, type StreamSummary, streamSummary } from './claude-stream-summary.ts';
import { splitLines } from './split-lines.ts';

export const LINE_LIMIT = 16_000_000;
/** Far above what a runner writes. */
const SIZE_LIMIT = 1_000_000_000;

/** A missing log counts as empty. Throws `E_FILE_UNREADABLE` if an agent replaced the log, for example with a link. */
export async function summaryFromLog(file: string): Promise<StreamSummary> {
  const split = splitLines(LINE_LIMIT);
  let acc = initialStream();
  const readLine = (line: string): void => {
    const event = parseJsonLine(line);
    if (event) acc = readStreamLine(acc, event);
  };
  const log = await openText(file, SIZE_LIMIT);
  if (log !== null)
    for await (const chunk of log.createReadStream({ encoding: 'utf8' }))
      split.push(String(chunk)).forEach(readLine);
  split.remainder().forEach(readLine);
  return streamSummary(acc);
}
