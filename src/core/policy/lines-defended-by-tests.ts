/**
 * Derives from the exam whether tests defend the changed lines. Pure. The statuses of the exam become three
 * words for people: defended, weak and undefended; the rest is unknown.
 */
import type { DefendedLines, Exam, ExamMutant, ExamUnit, UnitStatus } from '../../formats/exam-units.ts';

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

/** The changed lines that were examined, in ranges with the same findings. */
export function lineDefence({ units, mutants }: Exam): DefendedLines[] {
  const faults = new Map<string, ExamMutant[]>(units.map(({ id }) => [id, []]));
  for (const mutant of mutants) faults.get(mutant.unit)?.push(mutant);
  return units.flatMap(unit => linesOf(unit, faults.get(unit.id)!));
}

function linesOf(unit: ExamUnit, faults: readonly ExamMutant[]): DefendedLines[] {
  const { file, lines, base_lines, status, killers } = unit;
  const range = lines ?? base_lines;
  if (range === null) return [];
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
 * `path:line` or `path:first-last`, with a remark if the lines only moved; for a unit that only removes lines, the line
 * before them and a remark.
 */
export const placeOf = ({
  file,
  lines,
  at,
  moved,
}: Pick<ExamUnit, 'file' | 'lines' | 'at' | 'moved'>): string =>
  lines === null
    ? `${file}:${Math.max(at, 1)} (removed lines${moved ? ', only moved' : ''})`
    : `${file}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}${moved ? ' (only moved)' : ''}`;

export const undefendedUnits = (exam: Exam): ExamUnit[] =>
  exam.units.filter(({ status }) => DEFENCE[status] === 'undefended');

export const isAllMoved = (units: readonly ExamUnit[]): boolean =>
  units.length > 0 && units.every(({ moved }) => moved);

export const undefendedPlaces = (exam: Exam): string[] => undefendedUnits(exam).map(placeOf);

/** Lines of these units in the result. */
export const linesIn = (units: readonly ExamUnit[]): number =>
  units.reduce((sum, { lines }) => sum + (lines === null ? 0 : lines.last - lines.first + 1), 0);

export const faultCounts = ({ mutants }: Pick<Exam, 'mutants'>): { tried: number; killed: number } => ({
  tried: mutants.length,
  killed: mutants.filter(({ killed }) => killed).length,
});
