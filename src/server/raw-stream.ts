/**
 * The raw stream of a launch, read in pieces of whole lines and made readable. The file on disk is the only buffer:
 * however fast an agent prints, a reader holds one piece at a time.
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { parseLine } from '../agents/streams/loose.ts';
import { plain } from '../agents/streams/plain.ts';
import { render } from '../agents/streams/render.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { OutputLine } from './protocol.ts';

/** A line longer than this is left out with a note. */
export const LONGEST_LINE = 1_000_000;
const SHOWN_LINE = 20_000;

/** Numbers of the launches of a role that have printed, in order. */
export async function launchesOf(files: RunFiles, role: string): Promise<number[]> {
  const names = await readdir(files.logs).catch(() => [] as string[]);
  const start = `${role}.`;
  return names
    .flatMap(name =>
      name.startsWith(start) ? (/^(\d+)\.jsonl$/.exec(name.slice(start.length))?.[1] ?? []) : [],
    )
    .map(Number)
    .sort((a, b) => a - b);
}

export interface Piece {
  readonly lines: OutputLine[];
  readonly next: number;
  readonly size: number;
}

/** Whole lines from `offset` on, about `limit` bytes of them. An absent file is an empty one. */
export async function readPiece(file: string, offset: number, limit: number, raw: boolean): Promise<Piece> {
  const { bytes, size } = await readBytes(file, offset, limit);
  // The longest reading is only for a line that fits no other: it is given alone.
  const end = (limit < LONGEST_LINE ? bytes.lastIndexOf(10) : bytes.indexOf(10)) + 1;
  if (end > 0)
    return {
      lines: readable(bytes.toString('utf8', 0, end).split('\n').slice(0, -1), raw),
      next: offset + end,
      size,
    };
  // No line end in sight: nothing yet, or a line that does not fit.
  if (bytes.length < limit) return { lines: [], next: offset, size };
  if (limit < LONGEST_LINE) return readPiece(file, offset, LONGEST_LINE, raw);
  return {
    lines: [{ kind: 'note', text: '… a part of a very long line is left out' }],
    next: offset + bytes.length,
    size,
  };
}

export const sizeOf = async (file: string): Promise<number> => (await readBytes(file, 0, 0)).size;

/** The last whole lines of a file, at most `limit` bytes, with the offset they begin at. */
export async function startOfTail(file: string, limit: number): Promise<number> {
  const size = await sizeOf(file);
  return size <= limit ? 0 : lineStart(file, size - limit, limit);
}

/** The first line start at or after `offset`; `offset` itself when there is none within `limit`. */
export async function lineStart(file: string, offset: number, limit: number): Promise<number> {
  if (offset === 0) return 0;
  const { bytes } = await readBytes(file, offset - 1, limit + 1);
  const end = bytes.indexOf(10);
  return end < 0 ? offset : offset + end;
}

async function readBytes(
  file: string,
  offset: number,
  limit: number,
): Promise<{ bytes: Buffer; size: number }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (!handle) return { bytes: Buffer.alloc(0), size: 0 };
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { bytes: Buffer.alloc(0), size: 0 };
    const bytes = Buffer.alloc(Math.max(0, Math.min(limit, found.size - offset)));
    const { bytesRead } =
      bytes.length > 0 ? await handle.read(bytes, 0, bytes.length, offset) : { bytesRead: 0 };
    return { bytes: bytes.subarray(0, bytesRead), size: found.size };
  } finally {
    await handle.close();
  }
}

const readable = (lines: readonly string[], raw: boolean): OutputLine[] =>
  lines.flatMap(line => (raw ? [{ kind: 'raw' as const, text: cut(plain(line)) }] : said(line)));

/** What one line of any stream says to people: events of Claude Code by their meaning, anything else as it is. */
function said(line: string): OutputLine[] {
  const event = parseLine(line);
  if (!event || typeof event['type'] !== 'string') return [{ kind: 'text', text: cut(plain(line)) }];
  const text = render(event);
  return text === null || text === '' ? [] : [{ kind: kindOf(event, text), text: cut(drawn(text)) }];
}

/** Fonts of browsers often lack the corner that terminals draw before a result. */
const drawn = (text: string): string => text.replace(/^(\s*)⎿/, '$1└');

const cut = (text: string): string => (text.length > SHOWN_LINE ? `${text.slice(0, SHOWN_LINE)}…` : text);

function kindOf(event: { readonly [key: string]: unknown }, text: string): OutputLine['kind'] {
  const bad = /^\s*✗/.test(text);
  switch (event['type']) {
    case 'assistant':
      return /^\s*●/.test(text) ? 'tool' : 'text';
    case 'user':
      return bad ? 'error' : 'result';
    default:
      return bad ? 'error' : 'note';
  }
}
