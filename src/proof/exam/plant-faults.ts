/** Plants faults in the changed lines, and checks which of them the tests notice. */

import type { FailedTest } from '../../formats/exam-runs.ts';
import type { VariantRuns } from './budgeted-variant-runs.ts';
import type { ChangedFile } from './changed-code.ts';
import { changeOf, type Fault, type FaultyLine, faultAt, faultyLines } from './faults.ts';
import { functionsIn } from './hollow-functions.ts';
import { normalizedCode } from './normalized-code.ts';
import { asComments, broken } from './revert-lines.ts';
import type { UnitResult } from './take-out-units.ts';
import { type Edit, edited, type Lines, lineAt, linesOf } from './text-edits.ts';
import type { Unit } from './units.ts';

export interface PlantedFault {
  readonly unit: Unit;
  readonly fault: Fault;
  readonly killed: boolean;
  readonly failures: readonly FailedTest[];
}

/** Where a fault can be planted. */
export type Place = readonly [Unit, FaultyLine];

/** Plants faults in these places until there are enough; can be called again for the remaining places. */
export async function plantFaults(
  places: Iterator<Place>,
  runs: VariantRuns,
  isEnough: (planted: readonly PlantedFault[]) => boolean,
): Promise<PlantedFault[]> {
  const planted: PlantedFault[] = [];
  while (!runs.isOutOfTime && !isEnough(planted)) {
    const { done, value } = places.next();
    if (done) break;
    const [unit, place] = value;
    const fault = faultAt(unit.file, place);
    if (fault === null) continue;
    const seen = await plantInFile(unit.file, fault, runs);
    if (seen === null) break;
    // If the code does not load, the tests cannot notice the fault.
    if (seen.result === 'load') continue;
    planted.push({ unit, fault: seen.fault, killed: seen.result !== 'green', failures: seen.failures });
  }
  return planted;
}

/** If a value is never used, changing it shows nothing: the code that computes it is removed instead. */
async function plantInFile(file: ChangedFile, fault: Fault, runs: VariantRuns) {
  const plant = (edit: Edit) =>
    runs.resultOf({ of: 'head', edits: new Map([[file.path, Buffer.from(faultyText(file, edit))]]) });
  const { dropped } = fault.edit;
  const seen = await plant(fault.edit);
  if (seen?.result !== 'green' || !dropped || (await plant(dropped.value))?.result !== 'green')
    return seen && { ...seen, fault };
  const { code: edit } = dropped;
  const removed = await plant(edit);
  return removed && { ...removed, fault: { ...fault, edit, change: changeOf(file.head ?? '', edit) } };
}

/**
 * The original lines stay at the end as comments, so that a test that only reads the source does not notice
 * the fault.
 */
function faultyText({ head, language }: ChangedFile, edit: Edit): string {
  const text = head ?? '';
  const faulty = edited(text, [edit]);
  if (language.comment === null) return faulty;
  const lines = linesOf(text).slice(lineAt(text, edit.from), lineAt(text, edit.to) + 1);
  const kept = `${broken(faulty)}${broken(asComments(lines, language.comment))}`;
  return normalizedCode(kept, language) === normalizedCode(faulty, language) ? kept : faulty;
}

const MAX_PER_UNIT = 6;

/**
 * Plants the other faults of the same lines in units where no test noticed a fault with an assertion yet, although
 * tests fail without the unit: one edit of a line may crash a test while another makes an assertion fail.
 */
export async function plantOtherFaults(
  results: ReadonlyMap<Unit, UnitResult>,
  planted: readonly PlantedFault[],
  runs: VariantRuns,
): Promise<PlantedFault[]> {
  const others: PlantedFault[] = [];
  for (const [unit, { status }] of results) {
    const own = planted.filter(each => each.unit === unit);
    const isAsserted = (faults: readonly PlantedFault[]) =>
      faults.some(({ failures }) => failures.some(runs.isNoticed));
    if (status !== 'reached' || own.length === 0 || isAsserted(own)) continue;
    const isEnough = (more: readonly PlantedFault[]) => more.length >= MAX_PER_UNIT || isAsserted(more);
    others.push(...(await plantFaults(untriedPlaces(unit, own).values(), runs, isEnough)));
  }
  return others;
}

/** The faults of a unit that have not been planted yet. */
export function untriedPlaces(unit: Unit, planted: readonly PlantedFault[]): Place[] {
  const own = planted.filter(each => each.unit === unit).map(({ fault }) => fault.edit);
  const isTried = ({ edits: [edit] }: FaultyLine) =>
    own.some(({ from, text }) => from === edit!.from && text === edit!.text);
  return linesOfUnit(unit)
    .flatMap(eachEdit)
    .filter(place => !isTried(place))
    .map((place): Place => [unit, place]);
}

/** The lines of a unit in which a fault can be planted. */
export const linesOfUnit = ({ file, head }: Unit): FaultyLine[] =>
  spread(faultyLines(file, line => line >= head.from && line < head.to));

const eachEdit = ({ line, edits }: FaultyLine): FaultyLine[] => edits.map(edit => ({ line, edits: [edit] }));

const LARGE = 8;

/** Takes one place of each unit in turn, starting with the units about which the least is known. */
export function placesIn(results: ReadonlyMap<Unit, UnitResult>): Iterator<Place> {
  const isOpen = ([{ head }, { status, removedWith }]: [Unit, UnitResult]) =>
    status !== 'proven' || removedWith.length > 0 || head.to - head.from > LARGE;
  const tried = [...results].filter(
    ([, { status }]) => !/^(?:not-(?:code|loaded|run)|types-only)$/.test(status),
  );
  const units = [...tried.filter(isOpen), ...tried.filter(each => !isOpen(each))];
  const queues = units.map(([unit]) => linesOfUnit(unit).map((place): Place => [unit, place]));
  const longest = Math.max(0, ...queues.map(queue => queue.length));
  return Array.from({ length: longest }, (_, n) => queues.flatMap(queue => (queue[n] ? [queue[n]] : [])))
    .flat()
    .values();
}

/** Reorders the items so that the first few, however many, come from all over the list. */
const spread = <T>(items: readonly T[]): T[] =>
  items
    .map((item, n) => ({ item, place: (n * 0.618034) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

const MAX_AROUND = 6;
const MAX_ELSEWHERE = 20;
const MAX_PER_FUNCTION = 3;

/**
 * Plants faults in unchanged lines until each of the tests has failed: first in the changed functions, then a
 * few in each of the other functions of the changed files. These tests check behaviour that the change keeps,
 * so it is possible that no fault in a changed line makes them fail.
 */
export async function plantAround(
  files: readonly ChangedFile[],
  tests: ReadonlySet<string>,
  runs: VariantRuns,
): Promise<Pick<PlantedFault, 'fault' | 'failures'>[]> {
  const planted: Pick<PlantedFault, 'fault' | 'failures'>[] = [];
  const open = new Set(tests);
  const found = files.map(unchangedPlaces);
  const [around, elsewhere] = [found.flatMap(each => each.around), found.flatMap(each => each.elsewhere)];
  for (const [places, max] of [
    [around, MAX_AROUND],
    [spread(elsewhere), MAX_ELSEWHERE],
  ] as const) {
    let remaining: number = max;
    for (const { file, place } of places) {
      if (open.size === 0 || remaining === 0 || runs.isOutOfTime) break;
      const fault = faultAt(file, place);
      if (fault === null) continue;
      const seen = await plantInFile(file, fault, runs);
      if (seen === null) break;
      remaining -= 1;
      planted.push({ fault: seen.fault, failures: seen.failures });
      for (const { test, red } of seen.failures) if (red === 'assert') open.delete(test);
    }
  }
  return planted;
}

interface UnchangedPlace {
  readonly file: ChangedFile;
  readonly place: FaultyLine;
}

/** Places in unchanged lines: those of the changed functions, and some in every other function. */
function unchangedPlaces(file: ChangedFile): Record<'around' | 'elsewhere', UnchangedPlace[]> {
  const { head, atoms, language } = file;
  if (head === null || language.grammar === null) return { around: [], elsewhere: [] };
  const lines = functionsIn(language.grammar.parser.parse(head), head).map(({ from, to }) => ({
    from: lineAt(head, from),
    to: lineAt(head, to),
  }));
  const isChanged = (line: number) => atoms.some(atom => line >= atom.head.from && line < atom.head.to);
  const isTouched = ({ from, to }: Lines) =>
    atoms.some(atom => atom.head.from <= to && Math.max(atom.head.to, atom.head.from + 1) > from);
  const within = (functions: readonly Lines[]) =>
    spread(
      faultyLines(
        file,
        line => !isChanged(line) && functions.some(({ from, to }) => line >= from && line <= to),
      ),
    ).map(place => ({ file, place }));
  return {
    around: within(lines.filter(isTouched)),
    elsewhere: lines
      .filter(each => !isTouched(each))
      .flatMap(each =>
        within([each])
          .flatMap(({ place }) => eachEdit(place).map(one => ({ file, place: one })))
          .slice(0, MAX_PER_FUNCTION),
      ),
  };
}
