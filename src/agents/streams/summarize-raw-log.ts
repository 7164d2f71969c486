/** Accounts for a launch without an exit record, from its raw log. */
import { createReadStream } from 'node:fs';
import { parseJsonLine } from '../../formats/json-access.ts';
import { accountOf, initialStream, readStreamLine, type StreamAccount } from './claude-stream.ts';
import { splitLines } from './split-lines.ts';

export const LINE_LIMIT = 16_000_000;

/** A missing log counts as empty. */
export async function accountFromLog(file: string): Promise<StreamAccount> {
  const split = splitLines(LINE_LIMIT);
  let acc = initialStream();
  const take = (line: string): void => {
    const event = parseJsonLine(line);
    if (event) acc = readStreamLine(acc, event);
  };
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' }))
      split.push(String(chunk)).forEach(take);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  split.rest().forEach(take);
  return accountOf(acc);
}
