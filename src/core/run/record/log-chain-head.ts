/**
 * The head of a log: the number and chain value of a line. It can be used later to check that the log up to
 * that line is unchanged. The pack contains the head at the last line before the pack; the commit contains
 * the head at the line that records the pack.
 */
import { readText } from '../../../formats/read-untrusted-files.ts';
import { LOG_LIMIT } from './read-run-record.ts';

const HEAD = / seq=(\d+) chain=([0-9a-f]{16})$/;

/**
 * Returns `<seq> <chain>` of the last line of the log or, if `type` is given, of the last line with an event of that
 * type. Null if there is no such line.
 */
export async function logHead(file: string, type?: 'mrp.created'): Promise<string | null> {
  const lines = ((await readText(file, LOG_LIMIT)) ?? '').split('\n');
  const line = lines.findLast(one => HEAD.test(one) && (!type || one.split(' ', 3)[2] === type));
  const [, seq, chain] = HEAD.exec(line ?? '') ?? [];
  return seq === undefined ? null : `${seq} ${chain}`;
}

export async function isInLog(file: string, head: string): Promise<boolean> {
  const [seq, chain] = head.split(' ');
  const text = (await readText(file, LOG_LIMIT)) ?? '';
  return text.split('\n').some(line => line.endsWith(` seq=${seq} chain=${chain}`));
}
