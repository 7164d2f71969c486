/**
 * events.log, one line per event: `{timestamp} [{level}] {type} {key=value …} seq={n} chain={16 hex}`. Each chain
 * value is an HMAC of the previous value and the line, computed with the key that the first line names, so that a log
 * cannot be modified without the key. This module only handles lines; the caller validates events.
 */

import { severityOf } from './event-types-and-severity.ts';
import type { RunEvent } from './events.ts';

export const FIRST_CHAIN = '0'.repeat(16);
const LEVEL = { info: 'INFO', warning: 'WARN', error: 'ERROR', success: 'SUCCESS' } as const;
const BARE = /^[A-Za-z0-9_.:/@+-]+$/;

/** `id` is public, `secret` is 64 hex digits. */
export interface ChainKey {
  readonly id: string;
  readonly secret: string;
}

/**
 * Computes the chain value of a line from the previous one; null if the key of the log is not known. Throws
 * `SyntaxError` if the log names no key.
 */
export type Chain = (before: string, line: string) => string | null;

/** Determines from the first line of a log how its lines are chained. */
export function chainOf(first: string, keys: readonly ChainKey[]): Chain {
  // An id that looks like a number, such as 1234567890123456 or 12345678e1234567, is quoted.
  const id = / key="?([0-9a-f]{16})"? seq=1 chain=[0-9a-f]{16}$/.exec(first)?.[1];
  const key = keys.find(one => one.id === id);
  if (id === undefined) return namesNoKey;
  return key ? chainWith(key) : () => null;
}

const namesNoKey: Chain = () => {
  throw new SyntaxError('the log names no key');
};

export const chainWith =
  (key: ChainKey) =>
  (before: string, line: string): string => {
    // Loaded on first use, because listing runs usually does not read a log.
    const { createHmac } = process.getBuiltinModule('node:crypto');
    return createHmac('sha256', key.secret).update(`${before}\n${line}`).digest('hex').slice(0, 16);
  };

/**
 * A string is written without quotes unless that would be ambiguous. Any other value is written as JSON: without quotes
 * if it is a single word, otherwise in quotes with the prefix `j`.
 */
function formatValue(value: unknown): string {
  if (typeof value !== 'string') {
    const json = JSON.stringify(value);
    return BARE.test(json) ? json : JSON.stringify(json).replace(/^"/, 'j"');
  }
  return BARE.test(value) && !looksLikeJson(value) ? value : JSON.stringify(value);
}
const looksLikeJson = (text: string) => /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text);

function readValue(text: string): unknown {
  if (text.startsWith('j"')) return JSON.parse(JSON.parse(text.slice(1)) as string);
  if (text.startsWith('"') || looksLikeJson(text)) return JSON.parse(text);
  return text;
}

export function formatEvent(
  event: RunEvent,
  seq: number,
  chain: string,
  chained: (before: string, line: string) => string,
): { line: string; chain: string } {
  const { at, type, ...rest } = event;
  const pairs = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${formatValue(value)}`)
    .join('');
  const body = `${at} [${LEVEL[severityOf(type)]}] ${type}${pairs} seq=${seq}`;
  const next = chained(chain, body);
  return { line: `${body} chain=${next}`, chain: next };
}

export interface ParsedLine {
  event: RunEvent;
  seq: number;
  chain: string;
}

/** Returns the content of a line as an event, or throws `SyntaxError`. */
export type EventCheck = (read: Record<string, unknown>) => RunEvent;

/** Throws a `SyntaxError` that describes the problem. */
export function parseLine(line: string, before: string, validate: EventCheck, chained: Chain): ParsedLine {
  const shape =
    /^(\S+) \[(?:INFO|WARN|ERROR|SUCCESS)\] ([a-z.]+)((?: [a-z_]+=(?:j?"(?:[^"\\]|\\.)*"|\S+))*) chain=([0-9a-f]{16})$/.exec(
      line,
    );
  if (!shape) throw new SyntaxError('it is not in the format of events.log');
  const [, at, type, pairs, chain] = shape as unknown as [string, string, string, string, string];
  const expected = chained(before, line.slice(0, -' chain='.length - 16));
  if (expected !== null && expected !== chain)
    throw new SyntaxError('its chain value does not match the lines before it');
  const read: Record<string, unknown> = { at, type };
  for (const [, key, value] of pairs.matchAll(/ ([a-z_]+)=(j?"(?:[^"\\]|\\.)*"|\S+)/g))
    read[key!] = readValue(value!);
  const { seq, ...rest } = read;
  try {
    return { event: validate(rest), seq: Number(seq), chain };
  } catch (error) {
    if (expected === null) throw error;
    throw new SyntaxError(
      `it cannot be read, perhaps because a newer version of Dure wrote it: ${(error as Error).message}`,
    );
  }
}

export interface ParsedLog {
  events: RunEvent[];
  chain: string;
  /** Length of the complete lines in bytes; anything after that is an incomplete line. */
  completeBytes: number;
  broken: { line: number; why: string } | null;
}

/**
 * Reads a whole log. An incomplete last line (without its newline) is dropped; any other damage is reported. The chain
 * of a log whose key is not among `keys` is not checked.
 */
export function parseLines(text: string, validate: EventCheck, keys: readonly ChainKey[]): ParsedLog {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, end).split('\n').slice(0, -1);
  const events: RunEvent[] = [];
  const chained = chainOf(lines[0] ?? '', keys);
  let chain = FIRST_CHAIN;
  for (const [index, line] of lines.entries()) {
    try {
      const parsed = parseLine(line, chain, validate, chained);
      if (parsed.seq !== index + 1) throw new SyntaxError(`seq is ${parsed.seq}, expected ${index + 1}`);
      events.push(parsed.event);
      chain = parsed.chain;
    } catch (error) {
      return {
        events,
        chain,
        completeBytes: end,
        broken: { line: index + 1, why: (error as Error).message },
      };
    }
  }
  return { events, chain, completeBytes: Buffer.byteLength(text.slice(0, end)), broken: null };
}
