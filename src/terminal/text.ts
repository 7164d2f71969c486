/** Plain text in cells of a terminal: measured, cut, wrapped, put in columns. Colours count for nothing. */
import { stripVTControlCharacters } from 'node:util';
import { plain } from '../agents/streams/plain.ts';

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const MARK = /\p{Mark}|\u200d/u;

const cell = (char: string): number => (MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1);

/** Cells that a text takes on one line. */
export const cells = (text: string): number =>
  [...stripVTControlCharacters(text)].reduce((sum, char) => sum + cell(char), 0);

/** Columns there are: what the terminal has, or 80 in a pipe. */
export const room = (stream: { columns?: number } = process.stdout): number =>
  stream.columns || Number(process.env['COLUMNS']) || 80;

/** Columns to write in; never so many that lines are hard to read. */
export const columns = (stream?: { columns?: number }): number => Math.max(40, Math.min(room(stream), 140));

/** What an agent or a file says, made harmless and short enough to stand in one line. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

/** At most `width` cells; what was cut is shown by an ellipsis. Only for text without colours. */
export function shorten(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const char of text) {
    if (used + cell(char) > width - 1) break;
    kept += char;
    used += cell(char);
  }
  return `${kept.trimEnd()}…`;
}

/** Pieces of at most `width` cells, so that nothing is lost. An empty text is one empty piece. */
export function pieces(text: string, width: number): string[] {
  const cut = [''];
  let used = 0;
  for (const char of text) {
    if (used + cell(char) > width) {
      cut.push('');
      used = 0;
    }
    cut[cut.length - 1] += char;
    used += cell(char);
  }
  return cut;
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - cells(text)));

/** Breaks at spaces; a word longer than a line stays whole, so that it can be copied. */
export const wrap = (text: string, width: number, indent = ''): string => flow(plain(text), width, indent);

/** The same for text that is harmless, and may have colours. */
export function flow(text: string, width: number, indent = ''): string {
  const room = Math.max(20, width - cells(indent));
  return text
    .split('\n')
    .map(paragraph => {
      const lines: string[] = [''];
      for (const word of paragraph.split(' ')) {
        const line = lines.at(-1)!;
        if (line !== '' && cells(line) + 1 + cells(word) > room) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      return lines.map(line => (line === '' ? '' : indent + line)).join('\n');
    })
    .join('\n');
}

/** Rows under each other. The last column takes the room that is left. */
export function table(rows: readonly (readonly string[])[], width: number, gap = '  '): string {
  const last = Math.max(...rows.map(row => row.length)) - 1;
  const widths = Array.from({ length: last }, (_, i) => Math.max(...rows.map(row => cells(row[i] ?? ''))));
  const room = width - widths.reduce((sum, w) => sum + w + gap.length, 0);
  return rows
    .map(row =>
      row
        .map((text, i) => (i < last ? pad(text, widths[i]!) : shorten(text, Math.max(8, room))))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}
