/**
 * Recognizes units that only moved: the change removes and adds the same lines, for example if it sorts imports or moves
 * a function. This says nothing about behaviour (a check that moved below the action that it guards no longer guards
 * it), so such a unit keeps its status. Pure.
 */
import { textIn } from './identifiers.ts';
import { linesOf } from './text-edits.ts';
import type { Unit } from './units.ts';

type LineCounts = Map<string, number>;

/**
 * The change adds each removed line of such a unit at least as often as it removes it, and the other way round, so
 * that neither a line that is gone nor a new one counts as moved.
 */
export function movedUnits(units: readonly Unit[]): Set<Unit> {
  const added = counted(units.flatMap(addedLines));
  const removed = counted(units.flatMap(removedLines));
  const areAll = (lines: readonly string[], from: LineCounts, to: LineCounts) =>
    lines.every(line => (to.get(line) ?? 0) >= from.get(line)!);
  const isMoved = (unit: Unit): boolean =>
    isRecognizable([...addedLines(unit), ...removedLines(unit)]) &&
    areAll(addedLines(unit), added, removed) &&
    areAll(removedLines(unit), removed, added);
  return new Set(units.filter(isMoved));
}

const addedLines = ({ file, head }: Unit): string[] => writtenLines(textIn(file.head, head));
const removedLines = ({ file, base }: Unit): string[] => writtenLines(textIn(file.base, base));

/** Without indentation, because moved lines may be in another block, and without brackets that stand alone. */
const writtenLines = (text: string): string[] =>
  linesOf(text)
    .map(line => line.trim())
    .filter(line => /[\p{L}\p{N}]/u.test(line));

const MIN_CHARS = 20;
const IMPORT = /^(?:import|from|use|using|require)\b/;

/** Lines such as `return true;` can be equal by coincidence. `git diff --color-moved` has the same minimum. */
const isRecognizable = (lines: readonly string[]): boolean =>
  lines.length > 0 &&
  (lines.every(line => IMPORT.test(line)) ||
    lines.join('').replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_CHARS);

function counted(lines: readonly string[]): LineCounts {
  const counts: LineCounts = new Map();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
