/** Measures, truncates, wraps and aligns plain text for a terminal. Colour codes have no width. */
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { plainText } from '../formats/text/plain-text.ts';

/** Width of a text on one line, in columns. */
export const cells = (text: string): number => stringWidth(text);

/** Terminal width. If the output is a pipe, `COLUMNS`, or 80 if that is not set. */
const terminalWidth = (stream: { columns?: number } = process.stdout): number =>
  stream.columns || Number(process.env['COLUMNS']) || 80;

/** Width for text, limited so that lines stay readable. */
export const columns = (stream?: { columns?: number }): number =>
  Math.max(40, Math.min(terminalWidth(stream), 140));

/** Removes control characters from the text of an agent or a file, and joins its lines. */
export const oneLineText = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Truncates to `width` columns, with an ellipsis. Only for text without colours. */
export function shorten(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let start = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += cells(segment);
    if (used >= width) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** Truncates at the start, to keep the end of a path and its line number. */
export function shortenStart(text: string, width: number): string {
  if (cells(text) <= width) return text;
  const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (segments.length > 0 && cells(segments.join('')) >= width) segments.shift();
  return `…${segments.join('')}`;
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - cells(text)));

/**
 * Wraps at spaces. A word longer than a line and a command in backticks are not split, so that they can be copied.
 */
export const wrap = (text: string, width: number, indent = ''): string =>
  wrapAnsi(plainText(text).replace(COMMAND, withoutBreaks), Math.max(20, width - cells(indent)))
    .replaceAll(NO_BREAK, ' ')
    .split('\n')
    .map(line => (line === '' ? '' : indent + line))
    .join('\n');

const COMMAND = /`[^`\n]+`/g;
const NO_BREAK = '\u2060\u00a0';
const withoutBreaks = (command: string): string => command.replaceAll(' ', NO_BREAK);

const GAP = '  ';
/** Formats rows as aligned columns. The last column takes the remaining width. */
export function table(rows: readonly (readonly string[])[], width: number): string {
  const last = Math.max(...rows.map(row => row.length)) - 1;
  const widths = Array.from({ length: last }, (_, i) => Math.max(...rows.map(row => cells(row[i] ?? ''))));
  const room = width - widths.reduce((sum, w) => sum + w + GAP.length, 0);
  return rows
    .map(row =>
      row
        .map((text, i) => (i < last ? pad(text, widths[i]!) : shorten(text, Math.max(8, room))))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}
