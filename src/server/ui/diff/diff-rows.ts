/** Arranges the lines of a changed file in rows, in one column or side by side. */
import type { Hunk, PatchFile, PatchLine } from './parse-patch.ts';

export type Layout = 'unified' | 'split';

export interface DiffRow {
  /** In the unified layout, a changed line has its own row, and the other side is null. */
  readonly oldLine: PatchLine | null;
  readonly newLine: PatchLine | null;
  /** The line that this one replaced, or that replaced it. */
  readonly partner: PatchLine | null;
}
/** Unchanged lines that the diff omits: their line numbers in the new file, and git's hunk header. */
export interface Gap {
  readonly from: number;
  /** Null for the end of a file whose length is unknown. */
  readonly to: number | null;
  readonly header: string;
}
export type DiffItem = DiffRow | { readonly gap: Gap };

export const isGap = (item: DiffItem): item is { readonly gap: Gap } => 'gap' in item;

export function diffItems(file: PatchFile, layout: Layout): DiffItem[] {
  let next = 1;
  const items = file.hunks.flatMap((hunk): DiffItem[] => {
    const { start, header } = hunk;
    const gap = start > next || header !== '' ? [{ gap: { from: next, to: start - 1, header } }] : [];
    next = endOfHunk(hunk) + 1;
    return [...gap, ...rowsOf(hunk, layout)];
  });
  const { change, length = null } = file;
  const isWhole = change === 'added' || change === 'deleted' || (length !== null && next > length);
  return isWhole ? items : [...items, { gap: { from: next, to: length, header: '' } }];
}

const endOfHunk = ({ lines, start }: Hunk): number =>
  lines.findLast(line => line.newLine !== null)?.newLine ?? start - 1;

/** How many lines of a gap to show at once. In a gap between hunks, half of them are shown at each end. */
const AT_ONCE = 60;

/** The lines of a gap to show next. `length` is that of the whole file. */
export function linesToShow({ from, to }: Gap, length: number): number[] {
  const last = to ?? length;
  const all = Array.from({ length: Math.max(last - from + 1, 0) }, (_, index) => from + index);
  if (all.length <= AT_ONCE) return all;
  // No lines follow the last gap, so it is opened only from its start.
  return last === length ? all.slice(0, AT_ONCE) : [...all.slice(0, AT_ONCE / 2), ...all.slice(-AT_ONCE / 2)];
}

/** Adds to the file the unchanged lines whose numbers on the new side are in `shown`. */
export function withLines(file: PatchFile, text: readonly string[], shown: ReadonlySet<number>): PatchFile {
  const hunks: { header: string; start: number; lines: PatchLine[] }[] = [];
  let [next, shift] = [1, 0];
  const add = (lines: readonly PatchLine[], start: number, header: string) => {
    const last = hunks.at(-1);
    if (last && endOfHunk(last) + 1 === start) last.lines.push(...lines);
    else hunks.push({ header, start, lines: [...lines] });
  };
  const addUntil = (end: number) => {
    for (; next < end; next += 1)
      if (shown.has(next))
        add([{ kind: 'same', oldLine: next + shift, newLine: next, text: text[next - 1]! }], next, '');
  };
  for (const hunk of file.hunks) {
    addUntil(hunk.start);
    add(hunk.lines, hunk.start, hunk.header);
    const count = (kind: PatchLine['kind']) => hunk.lines.filter(line => line.kind === kind).length;
    shift += count('deleted') - count('added');
    next = endOfHunk(hunk) + 1;
  }
  addUntil(text.length + 1);
  return { ...file, hunks, length: text.length };
}

function rowsOf(hunk: Hunk, layout: Layout): DiffRow[] {
  return blocksOf(hunk.lines).flatMap(({ deleted, added, after }) => {
    const changed =
      layout === 'split'
        ? Array.from({ length: Math.max(deleted.length, added.length) }, (_, i) => {
            const [oldLine, newLine] = [deleted[i] ?? null, added[i] ?? null];
            return { oldLine, newLine, partner: null };
          })
        : [
            ...deleted.map((oldLine, i) => ({ oldLine, newLine: null, partner: added[i] ?? null })),
            ...added.map((newLine, i) => ({ oldLine: null, newLine, partner: deleted[i] ?? null })),
          ];
    return after ? [...changed, { oldLine: after, newLine: after, partner: null }] : changed;
  });
}

/** Consecutive changed lines, and the unchanged line after them. */
export interface Block {
  readonly deleted: PatchLine[];
  readonly added: PatchLine[];
  after: PatchLine | null;
}

export function blocksOf(lines: readonly PatchLine[]): Block[] {
  const blocks: Block[] = [{ deleted: [], added: [], after: null }];
  for (const line of lines) {
    const block = blocks.at(-1)!;
    if (line.kind !== 'same') block[line.kind].push(line);
    else {
      block.after = line;
      blocks.push({ deleted: [], added: [], after: null });
    }
  }
  return blocks;
}
