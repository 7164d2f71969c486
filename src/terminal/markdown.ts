/**
 * Markdown as people read it on a terminal: no line is cut inside a word, tables stand in columns, and signs of headings,
 * bold words and code give way to colours. Without colours the signs stay. Takes text that is plain already.
 */
import { stripVTControlCharacters } from 'node:util';
import { isColourful, paint } from './paint.ts';
import { cells, flow, pad, pieces } from './text.ts';

export const markdown = (text: string, width: number): string =>
  blocksOf(text.split('\n'))
    .flatMap(({ kind, lines }) => RENDERED[kind](lines, width))
    .join('\n');

type Kind = 'text' | 'code' | 'words' | 'quote' | 'table';
interface Block {
  readonly kind: Kind;
  readonly lines: string[];
}

const RENDERED: Record<Kind, (lines: readonly string[], width: number) => string[]> = {
  text: (lines, width) => lines.map(line => heading(line, width) ?? item(line, width)),
  // Commands are there to be copied, so they stay whole.
  code: lines => (isColourful() ? inside(lines).map(line => `  ${paint('cyan', line)}`) : [...lines]),
  words: (lines, width) => {
    const [lead] = /^ */.exec(lines[0]!)!;
    return inside(lines)
      .flatMap(line => flow(line.slice(lead.length), width - lead.length - 2).split('\n'))
      .map(line => `${lead}${quoteMark()} ${line}`.trimEnd());
  },
  quote: (lines, width) =>
    markdown(lines.map(line => line.replace(/^> ?/, '')).join('\n'), width - 2)
      .split('\n')
      .map(line => `${quoteMark()} ${line}`.trimEnd()),
  table,
};

const quoteMark = (): string => (isColourful() ? paint('dim', '│') : '>');

const FENCE = /^\s*(`{3,})([^`]*)$/;
/** Without the fences; the last block of a text may lack its second one. */
const inside = (lines: readonly string[]): string[] =>
  lines.slice(1, isEnd(lines.at(-1)!, fenceOf(lines[0]!)) ? -1 : undefined);
const fenceOf = (line: string): string => FENCE.exec(line)?.[1] ?? '';
const isEnd = (line: string, fence: string): boolean => {
  const [, own = '', rest = ''] = FENCE.exec(line) ?? [];
  return own.length >= fence.length && own !== '' && rest.trim() === '';
};

/** A fenced block ends at a fence that is as long as its own, so that text with fences can stand in it. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let fence: string | null = null;
  for (const line of lines) {
    const last = blocks.at(-1);
    if (fence !== null) {
      last!.lines.push(line);
      if (isEnd(line, fence)) fence = null;
      continue;
    }
    const [, own, language = ''] = FENCE.exec(line) ?? [];
    if (own !== undefined) {
      fence = own;
      blocks.push({ kind: language.trim() === 'quote' ? 'words' : 'code', lines: [line] });
      continue;
    }
    const kind: Kind = line.startsWith('>') ? 'quote' : line.startsWith('|') ? 'table' : 'text';
    if (last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks;
}

function heading(line: string, width: number): string | null {
  const [, signs, title] = /^(#{1,6} )(.+)$/.exec(line) ?? [];
  if (signs === undefined) return null;
  return isColourful() ? painted('bold', flow(title!, width)) : flow(`${signs}${title}`, width);
}

/** A line of prose or of a list; what follows stands below its first word. */
function item(line: string, width: number): string {
  const [lead] = /^\s*(?:[-*] |\d+[.)] )?/.exec(line)!;
  const said = flow(inline(line.slice(lead.length)), width, ' '.repeat(cells(lead)));
  return `${lead}${said.trimStart()}`.trimEnd();
}

const inline = (text: string): string =>
  isColourful()
    ? text.replace(
        /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\*\*(.+?)\*\*/g,
        (_, _fence, code?: string, bold?: string) =>
          code === undefined ? painted('bold', bold!) : painted('cyan', code),
      )
    : text;

/** Word by word, so that a line can end between any two. */
const painted = (style: 'bold' | 'cyan', text: string): string =>
  text.replace(/\S+/g, word => paint(style, word));

const GAP = '  ';
const LEAST = 8;

function table(lines: readonly string[], width: number): string[] {
  const all = lines.map(cellsOf);
  const rule = all.findIndex(row => row.every(cell => /^:?-+:?$/.test(cell)));
  const rows = all.filter((_, i) => i !== rule).map(row => row.map(inline));
  const count = Math.max(...rows.map(row => row.length));
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map(row => cells(row[i] ?? ''))));
  const over = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (count - 1) - width;
  const widest = widths.indexOf(Math.max(...widths));
  if (over > 0) widths[widest] = Math.max(LEAST, widths[widest]! - over);
  const isRight = widths.map((_, i) => /-:$/.test(all[rule]?.[i] ?? ''));
  return rows.flatMap((row, at) => {
    const stacked = widths.map((w, i) => broken(row[i] ?? '', w));
    const height = Math.max(...stacked.map(parts => parts.length));
    return Array.from({ length: height }, (_, line) => {
      const columns = stacked.map((parts, i) => {
        const part = parts[line] ?? '';
        return isRight[i] ? ' '.repeat(Math.max(0, widths[i]! - cells(part))) + part : pad(part, widths[i]!);
      });
      const text = columns.join(GAP).trimEnd();
      return at === 0 && rule === 1 ? painted('bold', text) : text;
    });
  });
}

/** A path may be longer than its column; nothing of it is lost. Colours are, where it is cut. */
const broken = (text: string, width: number): string[] =>
  cells(text) <= width ? [text] : pieces(stripVTControlCharacters(text), width);

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'));
