/**
 * events.log, one line per event: `{timestamp} [{level}] {type} {key=value …} seq={n} chain={16 hex}`.
 * Each chain value is a hash of the previous value and the line, so that modified logs are detected.
 * This module only handles lines; the caller validates events.
 */
import type { RunEvent } from './events.ts';
import { severityOf } from './severity.ts';

export const FIRST_CHAIN = '0'.repeat(16);
const LEVEL = { info: 'INFO', warning: 'WARN', error: 'ERROR', success: 'SUCCESS' } as const;
const BARE = /^[A-Za-z0-9_.:/@+-]+$/;

/** Loaded with the first line, because most lists of runs read no log. */
const chainOf = (before: string, line: string): string =>
  process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(`${before}\n${line}`)
    .digest('hex')
    .slice(0, 16);

/** Ambiguous strings are quoted; all other values are JSON. */
function written(value: unknown): string {
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

export function formatEvent(event: RunEvent, seq: number, chain: string): { line: string; chain: string } {
  const { at, type, ...rest } = event;
  const pairs = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${written(value)}`)
    .join('');
  const body = `${at} [${LEVEL[severityOf(type)]}] ${type}${pairs} seq=${seq}`;
  const next = chainOf(chain, body);
  return { line: `${body} chain=${next}`, chain: next };
}

export interface ParsedLine {
  event: RunEvent;
  seq: number;
  chain: string;
}

/** Returns the content of a line as an event, or throws `SyntaxError`. */
export type EventCheck = (read: Record<string, unknown>) => RunEvent;

/** Throws `SyntaxError` with the problem. */
export function parseLine(line: string, before: string, judge: EventCheck): ParsedLine {
  const shape =
    /^(\S+) \[(?:INFO|WARN|ERROR|SUCCESS)\] ([a-z.]+)((?: [a-z_]+=(?:j?"(?:[^"\\]|\\.)*"|\S+))*) chain=([0-9a-f]{16})$/.exec(
      line,
    );
  if (!shape) throw new SyntaxError('it is not in the format of events.log');
  const [, at, type, pairs, chain] = shape as unknown as [string, string, string, string, string];
  if (chainOf(before, line.slice(0, -' chain='.length - 16)) !== chain)
    throw new SyntaxError('its chain value does not follow from the lines before');
  const read: Record<string, unknown> = { at, type };
  for (const [, key, value] of pairs.matchAll(/ ([a-z_]+)=(j?"(?:[^"\\]|\\.)*"|\S+)/g))
    read[key!] = readValue(value!);
  const { seq, ...rest } = read;
  return { event: judge(rest), seq: Number(seq), chain };
}

export interface ParsedLog {
  events: RunEvent[];
  chain: string;
  /** Length of the complete lines in bytes; anything after that is an incomplete line. */
  whole: number;
  broken: { line: number; why: string } | null;
}

/** Reads a whole log. An incomplete last line (without its newline) is dropped; any other damage is reported. */
export function parseLines(text: string, judge: EventCheck): ParsedLog {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, end).split('\n').slice(0, -1);
  const events: RunEvent[] = [];
  let chain = FIRST_CHAIN;
  for (const [index, line] of lines.entries()) {
    try {
      const parsed = parseLine(line, chain, judge);
      if (parsed.seq !== index + 1) throw new SyntaxError(`seq is ${parsed.seq}, expected ${index + 1}`);
      events.push(parsed.event);
      chain = parsed.chain;
    } catch (error) {
      return { events, chain, whole: end, broken: { line: index + 1, why: (error as Error).message } };
    }
  }
  return { events, chain, whole: Buffer.byteLength(text.slice(0, end)), broken: null };
}
