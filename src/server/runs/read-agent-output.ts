/**
 * Reads the raw stream of a launch in pieces of whole lines and renders it as text. The file on disk is the only
 * buffer: the server keeps only one piece at a time in memory, however fast the agent prints.
 */
import { eventText } from '../../agents/streams/render-stream-event.ts';
import { readBytes } from '../../formats/read-part-of-file.ts';
import { parseJsonLine } from '../../formats/schema/json-access.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import type { OutputLine } from '../http-protocol.ts';
import { styledText } from './styled-text.ts';

/** A line longer than this is replaced with a note. */
export const MAX_LINE_BYTES = 1_000_000;
const SHOWN_LINE = 20_000;

export interface Piece {
  readonly lines: OutputLine[];
  readonly next: number;
  readonly size: number;
}

/** Turns a line of a stream into one line of output, or into none. */
export type ShowLine = (line: string) => OutputLine[];

/** Reads about `limit` bytes from `offset`, in whole lines. A missing file counts as empty. */
export async function readPiece(file: string, offset: number, limit: number, show: ShowLine): Promise<Piece> {
  const { bytes, size } = await bytesOf(file, offset, limit);
  // A read at the maximum size happens only for a very long line, which is returned alone.
  const end = (limit < MAX_LINE_BYTES ? bytes.lastIndexOf(10) : bytes.indexOf(10)) + 1;
  if (end > 0)
    return {
      lines: bytes.toString('utf8', 0, end).split('\n').slice(0, -1).flatMap(show),
      next: offset + end,
      size,
    };
  // No line end: the line is still incomplete, or longer than the limit.
  if (bytes.length < limit) return { lines: [], next: offset, size };
  if (limit < MAX_LINE_BYTES) return readPiece(file, offset, MAX_LINE_BYTES, show);
  return {
    lines: [{ kind: 'note', text: '… part of a very long line omitted' }],
    next: offset + bytes.length,
    size,
  };
}

export const sizeOf = async (file: string): Promise<number> => (await bytesOf(file, 0, 0)).size;

/** The offset of the first whole line in the last `limit` bytes of a file. */
export async function startOfTail(file: string, limit: number): Promise<number> {
  const size = await sizeOf(file);
  return size <= limit ? 0 : lineStart(file, size - limit, limit);
}

/** The start of the first line that begins at or after `offset`; `offset` itself if none begins within `limit`. */
async function lineStart(file: string, offset: number, limit: number): Promise<number> {
  if (offset === 0) return 0;
  const { bytes } = await bytesOf(file, offset - 1, limit + 1);
  const end = bytes.indexOf(10);
  return end < 0 ? offset : offset + end;
}

/** A missing file counts as empty. */
const bytesOf = async (file: string, offset: number, limit: number) =>
  (await readBytes(file, offset, limit)) ?? { bytes: Buffer.alloc(0), size: 0 };

/** Shows the line itself, without rendering it as an event. */
export const asWritten: ShowLine = line => [{ kind: 'raw', text: truncated(plainText(line)) }];

/** Renders one line of a stream: Claude Code events by type, anything else as text. */
export const asRendered: ShowLine = line => {
  const event = parseJsonLine(line);
  if (!event || typeof event['type'] !== 'string') return [{ kind: 'text', ...shown(line) }];
  const text = eventText(event);
  return text === null || text === '' ? [] : [{ kind: kindOf(event, text), ...shown(withBoxCorner(text)) }];
};

function shown(printed: string): Pick<OutputLine, 'text' | 'styles'> {
  const { text, styles } = styledText(printed);
  return { text: truncated(text), ...(styles.length > 0 && { styles }) };
}

/** Browser fonts often lack the corner character that terminals show before a result. */
const withBoxCorner = (text: string): string => text.replace(/^(\s*)⎿/, '$1└');

const truncated = (text: string): string =>
  text.length > SHOWN_LINE ? `${text.slice(0, SHOWN_LINE)}…` : text;

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
