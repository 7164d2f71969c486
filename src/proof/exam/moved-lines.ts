/**
 * Recognizes lines that only moved: the change removes and adds the same lines, for example because it sorts imports or
 * moves a function. Moving a line may still change behaviour (a check that moved below the action that it guards no
 * longer guards it), so the unit that contains such lines keeps its status. Pure.
 */
import { computeOnce } from './compute-once.ts';
import { type Lines, linesOf } from './syntax/text-lines.ts';
import type { Unit } from './units.ts';

export interface MovedLines {
  /** Whether all lines of the unit moved, both in the result and in base. */
  readonly isWhole: boolean;
  /** Lines of the result; lines of base if the unit only removes lines. */
  readonly lines: readonly Lines[];
}

/** The moved lines of each unit that contains any. */
export function movedLines(units: readonly Unit[]): Map<Unit, MovedLines> {
  const added = counted(units.map(addedLines));
  const removed = counted(units.map(removedLines));
  const found = units.map(unit => {
    const [onHead, onBase] = [addedLines(unit), removedLines(unit)];
    const isAdded = onHead.map((_, n) => isMoved(onHead, n, added, removed));
    const isRemoved = onBase.map((_, n) => isMoved(onBase, n, removed, added));
    const isWhole = [...isAdded, ...isRemoved].every(Boolean) && isRecognizable([...onHead, ...onBase]);
    const range = unit.head.from < unit.head.to ? unit.head : unit.base;
    const [shown, is] = range === unit.head ? [onHead, isAdded] : [onBase, isRemoved];
    return [unit, { isWhole, lines: isWhole ? [range] : runsOf(shown, is) }] as const;
  });
  return new Map(found.filter(([, { lines }]) => lines.length > 0));
}

export type MovedUnits = ReadonlyMap<Unit, MovedLines>;

/** Whether a line of the result, counted from 0, only moved. */
export const isMovedLine = (moved: MovedUnits, unit: Unit, line: number): boolean =>
  unit.head.from < unit.head.to &&
  (moved.get(unit)?.lines.some(({ from, to }) => line >= from && line < to) ?? false);

interface WrittenLine {
  readonly at: number;
  readonly text: string;
}

const addedLines = computeOnce(({ file, head }: Unit) => writtenLines(file.head, head));
const removedLines = computeOnce(({ file, base }: Unit) => writtenLines(file.base, base));

/** Removes indentation, because moved lines may be in another block, and leaves out lines with only brackets. */
const writtenLines = (text: string | null, { from, to }: Lines): WrittenLine[] =>
  linesOf(text ?? '')
    .slice(from, to)
    .map((line, n) => ({ at: from + n, text: line.trim() }))
    .filter(line => /[\p{L}\p{N}]/u.test(line.text));

/** Returns the line alone, with the line before it, and with the line after it. */
function contextsOf(lines: readonly WrittenLine[], n: number): string[] {
  const [before, { text }, after] = [lines[n - 1], lines[n]!, lines[n + 1]];
  return [
    text,
    ...(before ? [`after ${before.text}\n${text}`] : []),
    ...(after ? [`before ${after.text}\n${text}`] : []),
  ];
}

type Counts = ReadonlyMap<string, number>;

function counted(units: readonly (readonly WrittenLine[])[]): Counts {
  const counts = new Map<string, number>();
  for (const lines of units)
    for (const n of lines.keys())
      for (const each of contextsOf(lines, n)) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/**
 * Whether the line occurs in the other version (result or base) at least as often as in its own version; otherwise, it
 * may be a removed or a new line. A line such as `else:` may also be part of new code, so it may be counted together
 * with a line next to it.
 */
const isMoved = (lines: readonly WrittenLine[], n: number, own: Counts, others: Counts): boolean =>
  contextsOf(lines, n).some(each => (others.get(each) ?? 0) >= own.get(each)!);

/** Ranges of consecutive moved lines that are not equal by coincidence. Lines with only brackets do not end a range. */
function runsOf(lines: readonly WrittenLine[], is: readonly boolean[]): Lines[] {
  const runs: WrittenLine[][] = [];
  for (const [n, line] of lines.entries()) {
    if (is[n] && is[n - 1]) runs.at(-1)!.push(line);
    else if (is[n]) runs.push([line]);
  }
  return runs.filter(isRecognizable).map(run => ({ from: run[0]!.at, to: run.at(-1)!.at + 1 }));
}

const MIN_CHARS = 20;
const IMPORT = /^(?:import|from|use|using|require)\b/;

/** Lines such as `return true;` can be equal by coincidence. `git diff --color-moved` uses the same minimum. */
const isRecognizable = (lines: readonly WrittenLine[]): boolean =>
  lines.length > 0 &&
  (lines.every(({ text }) => IMPORT.test(text)) ||
    lines.map(({ text }) => text.replace(/[^\p{L}\p{N}]/gu, '')).join('').length >= MIN_CHARS);
