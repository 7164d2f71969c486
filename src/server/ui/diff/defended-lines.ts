/** Finds which lines of a diff are defended by tests, and which parts no test defends. Pure. */
import type { Defence } from '../../../core/policy/criteria/lines-defended-by-tests.ts';
import type { DefendedLines } from '../../../formats/exam/exam-units-and-faults.ts';
import type { Comment } from '../review-draft.ts';
import type { Hunk, PatchFile, PatchLine } from './parse-patch.ts';

export interface FileMarks {
  readonly old: ReadonlyMap<number, DefendedLines>;
  readonly new: ReadonlyMap<number, DefendedLines>;
  readonly counts: Counts;
}
/** The number of lines of each kind. */
export type Counts = Readonly<Record<Defence, number>>;
export type Marks = ReadonlyMap<string, FileMarks>;

/** Collects the marks of each file, keyed by its path. */
export function lineMarksOf(lines: readonly DefendedLines[]): Marks {
  const marks = new Map<string, ReturnType<typeof noMarks>>();
  for (const range of lines) {
    const file = marks.get(range.file) ?? noMarks();
    marks.set(range.file, file);
    for (let line = range.first; line <= range.last; line += 1) file[range.side].set(line, range);
    file.counts[range.defence] += range.last - range.first + 1;
  }
  return marks;
}

const noMarks = () => ({
  old: new Map<number, DefendedLines>(),
  new: new Map<number, DefendedLines>(),
  counts: { defended: 0, weak: 0, undefended: 0, unknown: 0 },
});

const ORDER: readonly Defence[] = ['undefended', 'weak', 'defended', 'unknown'];
export const presentIn = (counts: Counts): Defence[] => ORDER.filter(defence => counts[defence] > 0);

/** The sum over all files. */
export function totalOf(marks: Marks): Counts {
  const { counts: total } = noMarks();
  for (const { counts } of marks.values()) for (const defence of ORDER) total[defence] += counts[defence];
  return total;
}

export const markOf = (marks: FileMarks | undefined, line: PatchLine | null): DefendedLines | undefined =>
  line === null
    ? undefined
    : line.newLine === null
      ? marks?.old.get(line.oldLine!)
      : marks?.new.get(line.newLine);

const CONTEXT = 3;

/** The file with only its undefended lines and those around them. */
export function onlyUndefended(file: PatchFile, marks: FileMarks | undefined): PatchFile {
  return { ...file, hunks: file.hunks.flatMap(hunk => partsOf(hunk, marks)) };
}

function partsOf({ header, start, lines }: Hunk, marks: FileMarks | undefined): Hunk[] {
  const parts: (Hunk & { lines: PatchLine[] })[] = [];
  let end = 0;
  lines.forEach((line, at) => {
    if (markOf(marks, line)?.defence !== 'undefended') return;
    const from = Math.max(at - CONTEXT, end);
    if (parts.length === 0 || from > end) {
      const before = lines.slice(0, from).filter(({ newLine }) => newLine !== null).length;
      parts.push({ header, start: start + before, lines: [] });
      end = from;
    }
    const to = Math.min(at + CONTEXT + 1, lines.length);
    parts.at(-1)!.lines.push(...lines.slice(end, to));
    end = Math.max(end, to);
  });
  return parts;
}

/** Writes a review comment for each range. */
export const requestsFor = (
  lines: readonly DefendedLines[],
  textOf: (lines: DefendedLines) => string,
): Comment[] =>
  lines.map(range => ({
    file: range.file,
    line: range.first,
    comment: textOf(range),
    ...(range.last > range.first && { end_line: range.last }),
    ...(range.side === 'old' && { side: 'old' as const }),
  }));
