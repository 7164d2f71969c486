/** Plants faults in the changed lines, and checks which of them the tests notice. */

import type { FailedTest, VariantResult } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import { mapParallel } from '../../../process/map-parallel.ts';
import type { ChangedFile } from '../changed-code.ts';
import { asComments } from '../lines-as-comments.ts';
import { withStringAt } from '../lines-as-string.ts';
import { normalizedCode } from '../syntax/normalized-code.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { lineAt, linesOf, withFinalNewline } from '../syntax/text-lines.ts';
import type { UnitResult } from '../take-out-units.ts';
import type { Unit } from '../units.ts';
import type { VariantRuns } from '../variants/budgeted-variant-runs.ts';
import type { FaultEdit } from './fault-edit.ts';
import { changeOf, type Fault, type FaultyLine, faultAt, faultyLines, sampledLines } from './find-faults.ts';

/** Where a fault can be planted. */
export interface Place {
  readonly file: ChangedFile;
  readonly at: FaultyLine;
}

/** A place in the changed lines. */
export interface PlaceInUnit extends Place {
  readonly unit: Unit;
}

export type Planted<P extends Place> = P & {
  readonly fault: Fault;
  readonly killed: boolean;
  readonly failures: readonly FailedTest[];
};
export type PlantedFault = Planted<PlaceInUnit>;

export interface EnoughFaults<P extends Place> {
  readonly max?: number;
  isEnough?(planted: readonly Planted<P>[]): boolean;
}

/** Plants faults in these places until there are enough; can be called again for the remaining places. */
export async function plantFaults<P extends Place>(
  places: Iterator<P>,
  runs: VariantRuns,
  { max = Number.POSITIVE_INFINITY, isEnough = () => false }: EnoughFaults<P>,
): Promise<Planted<P>[]> {
  const planted: Planted<P>[] = [];
  while (!runs.isOutOfTime && planted.length < max && !isEnough(planted)) {
    const next = nextFaults(places, Math.min(runs.jobs, max - planted.length));
    if (next.length === 0) break;
    const seen = await mapParallel(runs.jobs, next, ({ place, fault }) =>
      plantInFile(place.file, fault, runs),
    );
    for (const [n, { place }] of next.entries()) {
      const result = seen[n];
      // If the code does not load, the tests cannot notice the fault.
      if (!result || result.result === 'load') continue;
      const { fault, failures } = result;
      planted.push({ ...place, fault, killed: result.result !== 'green', failures });
    }
  }
  return planted;
}

function nextFaults<P extends Place>(places: Iterator<P>, count: number): { place: P; fault: Fault }[] {
  const faults: { place: P; fault: Fault }[] = [];
  while (faults.length < count) {
    const { done, value: place } = places.next();
    if (done) break;
    const fault = faultAt(place.file, place.at);
    if (fault !== null) faults.push({ place, fault });
  }
  return faults;
}

/**
 * Plants a fault in a file. If the value that the fault changes is never used, the code that computes it is removed
 * instead.
 */
async function plantInFile(file: ChangedFile, fault: Fault, runs: VariantRuns) {
  const plant = (edit: FaultEdit) =>
    runs.resultOf({ of: 'head', edits: new Map([[file.path, Buffer.from(faultyText(file, edit))]]) });
  const { dropped, absent } = fault.edit;
  const seen = await plant(fault.edit);
  if (seen && absent && seen.failures.length > 0) {
    const failures = await failuresOfMember(seen.failures, async () => plant(absent), runs);
    return { ...seen, failures, fault };
  }
  if (seen?.result !== 'green' || !dropped || (await plant(dropped.value))?.result !== 'green')
    return seen && { ...seen, fault };
  const { code: edit } = dropped;
  const removed = await plant(edit);
  return removed && { ...removed, fault: { ...fault, edit, change: changeOf(file.head ?? '', edit) } };
}

/**
 * Replaces a crash with what the same test notices when the member is removed, if that is evidence: a test that crashes
 * when the member has another value needs the right value.
 */
async function failuresOfMember(
  failures: readonly FailedTest[],
  removeMember: () => Promise<VariantResult | null>,
  { isEvidence }: VariantRuns,
): Promise<readonly FailedTest[]> {
  if (failures.every(isEvidence)) return failures;
  const without = (await removeMember())?.failures.filter(isEvidence) ?? [];
  return failures.map(failed =>
    isEvidence(failed) ? failed : (without.find(({ test }) => test === failed.test) ?? failed),
  );
}

/**
 * Applies the edit, and keeps the original lines in a string, if the language allows it, and as comments at the end of
 * the file, so that a test that only reads the source does not notice the fault.
 */
function faultyText(file: ChangedFile, edit: FaultEdit): string {
  const { uses = code => code } = edit;
  return uses(withOriginalLines(file, edit));
}

function withOriginalLines({ head, language }: ChangedFile, edit: Edit): string {
  const text = head ?? '';
  const faulty = edited(text, [edit]);
  if (language.comment === null) return faulty;
  const lines = linesOf(text).slice(lineAt(text, edit.from), lineAt(text, edit.to) + 1);
  const code = withStringAt(faulty, lines, edit.from, language);
  const kept = `${withFinalNewline(code)}${withFinalNewline(asComments(lines, language.comment))}`;
  return normalizedCode(kept, language) === normalizedCode(code, language) ? kept : faulty;
}

const MAX_PER_UNIT = 6;

/**
 * If tests fail without a unit but no assertion has noticed a fault in it yet, plants the other faults in its lines:
 * one edit of a line may crash a test while another makes an assertion fail.
 */
export async function plantOtherFaults(
  results: ReadonlyMap<Unit, UnitResult>,
  planted: readonly PlantedFault[],
  runs: VariantRuns,
  isWanted: IsWanted,
): Promise<PlantedFault[]> {
  const others: PlantedFault[] = [];
  for (const [unit, { status }] of results) {
    const own = planted.filter(each => each.unit === unit);
    const isAsserted = (faults: readonly PlantedFault[]) =>
      faults.some(({ failures }) => failures.some(runs.isNoticed));
    if (status !== 'reached' || own.length === 0 || isAsserted(own)) continue;
    const places = untriedPlaces(unit, own, isWanted).values();
    others.push(...(await plantFaults(places, runs, { max: MAX_PER_UNIT, isEnough: isAsserted })));
  }
  return others;
}

const MAX_UNTRIED = 40;

/** Selects lines of a unit, counted from 0. */
export type IsWanted = (unit: Unit, line: number) => boolean;

/** The faults of a unit that have not been planted yet, including those in lines that `linesOfUnit` leaves out. */
export function untriedPlaces(
  unit: Unit,
  planted: readonly PlantedFault[],
  isWanted: IsWanted,
): PlaceInUnit[] {
  const own = planted.filter(each => each.unit === unit).map(({ fault }) => fault.edit);
  const isTried = ({ edits: [edit] }: FaultyLine) =>
    own.some(({ from, text }) => from === edit!.from && text === edit!.text);
  return spread(faultyLines(unit.file, inUnit(unit, isWanted)))
    .slice(0, MAX_UNTRIED)
    .flatMap(eachEdit)
    .filter(at => !isTried(at))
    .map(at => ({ unit, file: unit.file, at }));
}

/** The lines of a unit in which faults are planted first; see `sampledLines`. */
const linesOfUnit = (unit: Unit, isWanted: IsWanted = () => true): FaultyLine[] =>
  spread(sampledLines(unit.file, inUnit(unit, isWanted)));

/** Whether a fault can be planted in the unit, including in the lines that `linesOfUnit` leaves out. */
export const canBeFaulty = ({ file, head }: Unit): boolean =>
  faultyLines(file, line => line >= head.from && line < head.to).length > 0;

const inUnit =
  (unit: Unit, isWanted: IsWanted) =>
  (line: number): boolean =>
    line >= unit.head.from && line < unit.head.to && isWanted(unit, line);

export const eachEdit = ({ line, edits }: FaultyLine): FaultyLine[] =>
  edits.map(edit => ({ line, edits: [edit] }));

const LARGE = 8;

/** One place in each unit for which `mayOnlyExist` is true: removing such a unit shows less than a fault in it. */
export const firstPlaces = (units: readonly Unit[], isWanted: IsWanted): Iterator<PlaceInUnit> =>
  units
    .filter(({ kind, mayOnlyExist }) => kind === 'code' && mayOnlyExist)
    .flatMap(unit => placesInUnit(unit, isWanted).slice(0, 1))
    .values();

const placesInUnit = (unit: Unit, isWanted: IsWanted): PlaceInUnit[] =>
  linesOfUnit(unit, isWanted).map(at => ({ unit, file: unit.file, at }));

/**
 * Takes one place from each unit in turn, starting with the units about which the least is known; leaves out lines in
 * which a fault has been planted.
 */
export function placesIn(
  results: ReadonlyMap<Unit, UnitResult>,
  isWanted: IsWanted,
  planted: readonly PlantedFault[] = [],
): Iterator<PlaceInUnit> {
  const isOpen = ([{ head }, { status, removedWith }]: [Unit, UnitResult]) =>
    status !== 'proven' || removedWith.length > 0 || head.to - head.from > LARGE;
  const tried = [...results].filter(([, result]) => isLoadedCode(result) && result.status !== 'not-run');
  const units = [...tried.filter(isOpen), ...tried.filter(each => !isOpen(each))];
  const isFree = ({ unit, at }: PlaceInUnit) =>
    !planted.some(each => each.unit === unit && each.at.line === at.line);
  return inTurn(units.map(([unit]) => placesInUnit(unit, isWanted).filter(isFree))).values();
}

/** Whether a fault in the unit shows something about the tests. */
export const isLoadedCode = ({ status }: UnitResult): boolean =>
  !/^(?:not-(?:code|loaded)|types-only)$/.test(status);

/** Returns the first item of each queue, then the second of each, and so on. */
export function inTurn<T>(queues: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...queues.map(queue => queue.length));
  return Array.from({ length: longest }, (_, n) => queues.flatMap(queue => queue.slice(n, n + 1))).flat();
}

/** Reorders the items so that the first few, however many, come from all over the list. */
export const spread = <T>(items: readonly T[]): T[] =>
  items
    .map((item, n) => ({ item, place: (n * 0.618034) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
