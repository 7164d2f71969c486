/** The account of a launch whose runner left no exit record, from the raw log that it did leave. */
import { createReadStream } from 'node:fs';
import { type Account, accountOf, begin, step } from './claude.ts';
import { lines } from './lines.ts';
import { parseLine } from './loose.ts';

export const LINE_LIMIT = 16_000_000;

/** An absent log is an empty one: nothing is known of such a launch. */
export async function accountFromLog(file: string): Promise<Account> {
  const split = lines(LINE_LIMIT);
  let acc = begin();
  const take = (line: string): void => {
    const event = parseLine(line);
    if (event) acc = step(acc, event);
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
