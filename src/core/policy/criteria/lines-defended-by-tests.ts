/**
 * Derives from the exam whether tests defend the changed lines. Pure. The statuses of the exam are reduced to
 * three words for users: defended, weak and undefended; any other status becomes unknown.
 */
import type {
  DefendedLines,
  Exam,
  ExamMutant,
  ExamUnit,
  LineRange,
  UnitStatus,
} from '../../../formats/exam/exam-units-and-faults.ts';

export type Defence = DefendedLines['defence'];

const DEFENCE: Readonly<Record<UnitStatus, Defence>> = {
  proven: 'defended',
  together: 'defended',
  reached: 'weak',
  unseen: 'weak',
  untested: 'undefended',
  'not-loaded': 'undefended',
  breaks: 'unknown',
  'not-code': 'unknown',
  'types-only': 'unknown',
  'not-run': 'unknown',
};

/** The marks in the margin of a diff. */
export const LETTERS: Readonly<Record<Defence, string>> = {
  defended: 'D',
  weak: 'W',
  undefended: 'U',
  unknown: '·',
};

/** Groups the changed lines of an exam into ranges with the same findings. */
export function lineDefence({ units, mutants }: Exam): DefendedLines[] {
  const faults = new Map<string, ExamMutant[]>(units.map(({ id }) => [id, []]));
  for (const mutant of mutants) faults.get(mutant.unit)?.push(mutant);
  return units.flatMap(unit => linesOf(unit, faults.get(unit.id)!));
}

const linesOf = (unit: ExamUnit, faults: readonly ExamMutant[]): DefendedLines[] =>
  partsOf(unit).flatMap(({ moved, ...part }) =>
    moved ? [movedPart(unit, part)] : linesOfPart(unit, part, faults),
  );

/** Splits the lines of a unit into those that only moved and the others. */
function partsOf({
  lines,
  base_lines,
  moved,
  moved_lines = [],
}: ExamUnit): (LineRange & { moved: boolean })[] {
  const range = lines ?? base_lines;
  if (range === null) return [];
  const starts = [
    range.first,
    ...moved_lines.flatMap(({ first, last }) => [first, last + 1]),
    range.last + 1,
  ];
  return starts.slice(1).flatMap((next, n) => {
    const [first, last] = [starts[n]!, next - 1];
    return first <= last ? [{ first, last, moved: moved === true || n % 2 === 1 }] : [];
  });
}

/**
 * Lines that only moved never count as defended: tests that need them do not necessarily check where they are now.
 * Faults in them are not counted.
 */
const movedPart = (
  { file, lines, status, killers }: ExamUnit,
  { first, last }: LineRange,
): DefendedLines => ({
  file,
  side: lines ? 'new' : 'old',
  first,
  last,
  status,
  defence: DEFENCE[status] === 'undefended' ? 'undefended' : 'unknown',
  moved: true,
  tests: [...new Set(killers.map(({ test }) => test))],
  survived: [],
});

function linesOfPart(unit: ExamUnit, range: LineRange, faults: readonly ExamMutant[]): DefendedLines[] {
  const { file, lines, status, killers } = unit;
  const seen = [...killers, ...faults.filter(({ killed }) => killed).flatMap(fault => fault.killers)];
  const survivors = faults.filter(({ killed, line }) => !killed && range.first <= line && line <= range.last);
  const part = (first: number, last: number): DefendedLines => {
    const here = survivors.filter(({ line }) => first <= line && line <= last);
    const defence = DEFENCE[status];
    return {
      file,
      side: lines ? 'new' : 'old',
      first,
      last,
      status,
      defence: defence === 'defended' && here.length > 0 ? 'weak' : defence,
      tests: [...new Set(seen.map(({ test }) => test))],
      survived: here.map(({ change }) => change),
    };
  };
  if (DEFENCE[status] !== 'defended') return [part(range.first, range.last)];
  // A fault that survives makes only its own line weak.
  const alone = [...new Set(survivors.map(({ line }) => line))].sort((a, b) => a - b);
  const ends = [...alone.flatMap(line => [line - 1, line]), range.last];
  return ends.flatMap((end, n) => {
    const first = n === 0 ? range.first : ends[n - 1]! + 1;
    return first <= end ? [part(first, end)] : [];
  });
}

/**
 * Returns `path:line` or `path:first-last`, with a remark if lines only moved. For a unit that only removes lines,
 * returns the line before them, with a remark.
 */
export function placeOf({ file, lines, at, moved, moved_lines = [] }: Place): string {
  const some = moved_lines.map(rangeText).join(', ');
  const move = moved ? 'only moved' : some && (lines ? `${some} only moved` : 'some only moved');
  return lines === null
    ? `${file}:${Math.max(at, 1)} (removed lines${move ? `, ${move}` : ''})`
    : `${file}:${rangeText(lines)}${move ? ` (${move})` : ''}`;
}

type Place = Pick<ExamUnit, 'file' | 'lines' | 'at' | 'moved' | 'moved_lines'>;

export const rangeText = ({ first, last }: LineRange): string =>
  first === last ? String(first) : `${first}-${last}`;

export const undefendedUnits = (exam: Exam): ExamUnit[] =>
  exam.units.filter(({ status }) => DEFENCE[status] === 'undefended');

export const isAllMoved = (units: readonly ExamUnit[]): boolean =>
  units.length > 0 && units.every(({ moved }) => moved);

export const undefendedPlaces = (exam: Exam): string[] => undefendedUnits(exam).map(placeOf);

const countLines = (ranges: readonly LineRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** Counts the lines that only moved. */
export const countMoved = (lines: readonly DefendedLines[]): number =>
  countLines(lines.filter(({ moved }) => moved));

/** Filters out lines that only moved: they usually contain nothing to test. */
export const linesToTest = (lines: readonly DefendedLines[]): DefendedLines[] =>
  lines.filter(({ moved }) => !moved);

export interface UndefendedCounts {
  /** Number of undefended lines in the result. */
  readonly lines: number;
  readonly places: number;
  /** How many of `lines` only moved; if `lines` is 0, how many of `places` contain only lines that moved. */
  readonly moved: number;
}

export function countUndefended(units: readonly ExamUnit[]): UndefendedCounts {
  const added = units.filter(unit => unit.lines !== null);
  const moved = added.flatMap(({ lines, moved, moved_lines = [] }) => (moved ? lines! : moved_lines));
  return {
    lines: countLines(added.map(({ lines }) => lines!)),
    places: units.length,
    moved: added.length > 0 ? countLines(moved) : units.filter(unit => unit.moved).length,
  };
}

/** Counts changed lines that were not examined because time ran out. Lines removed without replacement count too. */
export const countNotExamined = ({ units }: Exam): number =>
  countLines(
    units.flatMap(({ status, lines, base_lines }) =>
      status === 'not-run' ? (lines ?? base_lines ?? []) : [],
    ),
  );

export const faultCounts = ({ mutants }: Pick<Exam, 'mutants'>): { tried: number; killed: number } => ({
  tried: mutants.length,
  killed: mutants.filter(({ killed }) => killed).length,
});
