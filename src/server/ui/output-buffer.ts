/** The part of an agent's output that a page shows: the end, up to a fixed size. This module is pure. */
import type { OutputLine, StreamPage } from '../http-protocol.ts';

const MAX_LINES = 800;
const MAX_CHARS = 200_000;
/** Rendering a styled part of a line costs the browser about as much as this many characters of plain text. */
const STYLE_CHARS = 50;
const FIRST_BYTES = 64_000;
/** If more bytes than this are unread, the page skips to the end. */
const FAR_BEHIND = 1_000_000;
const END_BYTES = 128_000;

export interface OutputBuffer {
  readonly lines: readonly (OutputLine & { key: number })[];
  readonly launch: number | null;
  /** Number of bytes omitted. */
  readonly skipped: number;
}
export const EMPTY_OUTPUT: OutputBuffer = { lines: [], launch: null, skipped: 0 };

export interface OutputQuery {
  readonly launch?: number;
  readonly offset?: number;
  readonly tail?: number;
}

const isEmpty = (page: StreamPage): boolean => page.next === page.offset;

/** Whether there is nothing to fetch until the agent prints again. */
export const isAtEnd = (page: StreamPage, chosen: number | null): boolean =>
  page.launch === null || (isEmpty(page) && queryAfter(page, chosen).launch === page.launch);

/** The next query after `last`. A chosen launch is read to its end; without one, the newest launch is followed. */
export function queryAfter(last: StreamPage | null, chosen: number | null): OutputQuery {
  if (last === null || last.launch === null)
    return { tail: FIRST_BYTES, ...(chosen === null ? {} : { launch: chosen }) };
  const { launch, launches, next, size } = last;
  if (size - next > FAR_BEHIND) return { launch, tail: END_BYTES };
  const newer = chosen === null && isEmpty(last) ? launches.find(number => number > launch) : undefined;
  return newer === undefined ? { launch, offset: next } : { launch: newer, offset: 0 };
}

/** Adds the lines of `page` to the buffer. `last` is the page that was fetched before it. */
export function withPage(before: OutputBuffer, last: StreamPage | null, page: StreamPage): OutputBuffer {
  const isSame = last !== null && page.launch === before.launch;
  const [lines, skipped] = isSame ? [before.lines, before.skipped + page.offset - last.next] : [[], 0];
  const first = (before.lines.at(-1)?.key ?? -1) + 1;
  const added = page.lines.map((line, i) => ({ ...line, key: first + i }));
  return { lines: end([...lines, ...added]), launch: page.launch, skipped };
}

function end(lines: OutputBuffer['lines']): OutputBuffer['lines'] {
  let first = lines.length;
  for (let chars = 0; first > 0 && lines.length - first < MAX_LINES; first -= 1) {
    const { text, styles = [] } = lines[first - 1]!;
    chars += text.length + styles.length * STYLE_CHARS;
    if (chars > MAX_CHARS && first < lines.length) break;
  }
  return first === 0 ? lines : lines.slice(first);
}
