/** Plants faults in the changed lines, and checks which of them the tests notice. */

import type { FailedTest } from '../../formats/exam-runs.ts';
import type { VariantRuns } from './budgeted-variant-runs.ts';
import type { ChangedFile } from './changed-code.ts';
import { changeOf, type Fault, type FaultyLine, faultAt, faultyLines, sampledLines } from './faults.ts';
import { normalizedCode } from './normalized-code.ts';
import { asComments, broken } from './revert-lines.ts';
import type { UnitResult } from './take-out-units.ts';
import { type Edit, edited, lineAt, linesOf } from './text-edits.ts';
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
export async function plantInFile(file: ChangedFile, fault: Fault, runs: VariantRuns) {
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

const MAX_UNTRIED = 40;

/** The faults of a unit that have not been planted yet, also in the other lines of tables. */
export function untriedPlaces(unit: Unit, planted: readonly PlantedFault[]): Place[] {
  const own = planted.filter(each => each.unit === unit).map(({ fault }) => fault.edit);
  const isTried = ({ edits: [edit] }: FaultyLine) =>
    own.some(({ from, text }) => from === edit!.from && text === edit!.text);
  return spread(faultyLines(unit.file, inUnit(unit)))
    .slice(0, MAX_UNTRIED)
    .flatMap(eachEdit)
    .filter(place => !isTried(place))
    .map((place): Place => [unit, place]);
}

/** The lines of a unit in which a fault can be planted. */
export const linesOfUnit = (unit: Unit): FaultyLine[] => spread(sampledLines(unit.file, inUnit(unit)));

const inUnit =
  ({ head }: Unit) =>
  (line: number): boolean =>
    line >= head.from && line < head.to;

export const eachEdit = ({ line, edits }: FaultyLine): FaultyLine[] =>
  edits.map(edit => ({ line, edits: [edit] }));

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
export const spread = <T>(items: readonly T[]): T[] =>
  items
    .map((item, n) => ({ item, place: (n * 0.618034) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
