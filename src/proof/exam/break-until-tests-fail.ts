/** Finds the broken versions of the result on which the tests that claim criteria fail. */

import type { Kill } from '../../formats/exam/exam-units-and-faults.ts';
import type { FailedTest } from '../../formats/exam/runs-of-unfinished-exam.ts';
import type { Change } from './changed-code.ts';
import { parses, without } from './code-without-units.ts';
import {
  canBeFaulty,
  type IsWanted,
  type PlaceInUnit,
  type PlantedFault,
  plantFaults,
  untriedPlaces,
} from './faults/plant-faults.ts';
import { plantAround, plantInRenamed } from './faults/plant-faults-in-unchanged-code.ts';
import {
  failuresWithFault,
  failuresWithoutUnits,
  type OldBehaviour,
} from './ignore-old-behaviour-failures.ts';
import { newNames } from './linked-units.ts';
import { except } from './set-operations.ts';
import type { UnitResult } from './take-out-units.ts';
import type { Unit } from './units.ts';
import type { VariantRuns } from './variants/budgeted-variant-runs.ts';

/** A test that claims a criterion. */
export interface TestClaim {
  /** Id of the test, as in test-cases.json. */
  readonly test: string;
  /** `keeps`: the test passes before and after the change. */
  readonly kind: 'behaviour' | 'keeps';
}

export interface KillsOf {
  readonly change: Change;
  readonly units: readonly Unit[];
  readonly unitResults: ReadonlyMap<Unit, UnitResult>;
  /** Where faults have not been planted yet. */
  readonly places: Iterator<PlaceInUnit>;
  readonly planted: readonly PlantedFault[];
  /** Selects the lines that are not merely moved. */
  readonly isNew: IsWanted;
  readonly claims: readonly TestClaim[];
  readonly oldBehaviour: OldBehaviour;
  /** See `BreakChangeOf`. */
  readonly keptBehaviourWords: ReadonlySet<string>;
  readonly runs: VariantRuns;
  /** If 0, no faults are planted. */
  readonly mutants: number;
}

/**
 * Breaks more of the code until every test that claims a criterion has noticed something; reports a test as noticing
 * nothing only after everything has been tried. First takes out all units at once. Then plants faults in unchanged code
 * around the change, in moved lines that a remaining test needs, and in the places that have none yet; after that, the
 * other faults of each unit; and finally faults in the other moved lines.
 */
export async function gatherKills(of: KillsOf): Promise<{ faults: PlantedFault[]; kills: Kill[] }> {
  const { change, unitResults, claims, oldBehaviour, runs, isNew } = of;
  const faults = [...of.planted];
  const killsByUnits = killsOfUnits(unitResults, unit => !needsFault(unit), oldBehaviour);
  const killsOfFaults = (planted: readonly PlantedFault[], before = 0, as: 'm' | 'k' = 'm') =>
    killsByFault(
      planted.map(each => failuresWithFault(each, oldBehaviour)),
      before,
      as,
    );
  const kills = killsOfFaults(faults);
  const unproven = (more: readonly Kill[] = []): readonly TestClaim[] => {
    const seen = [...killsByUnits, ...kills, ...more].filter(runs.isEvidence);
    return claims.filter(({ test }) => !seen.some(kill => kill.test === test));
  };
  const unprovenOf = (wanted: TestClaim['kind']) =>
    new Set(unproven().flatMap(({ test, kind }) => (kind === wanted ? [test] : [])));
  const isEnough = (more: readonly PlantedFault[]) => unproven(killsOfFaults(more)).length === 0;
  const plantMore = async (places: Iterator<PlaceInUnit>) => {
    const more = of.mutants === 0 ? [] : await plantFaults(places, runs, { isEnough });
    kills.push(...killsOfFaults(more, faults.length));
    faults.push(...more);
  };

  if (unproven().length > 0) kills.push(...(await killsOfAll(of.units, oldBehaviour, runs)));
  const around = [
    ...(await plantAround(change.code, { tests: unprovenOf('keeps'), words: of.keptBehaviourWords }, runs)),
    ...(await plantInRenamed(change.code, except(unprovenOf('behaviour'), oldBehaviour.tests), runs)),
  ];
  kills.push(...killsByFault(around, 0, 'k'));
  const inMoved: PlantedFault[] = [];
  /** Plants faults in moved lines of the unit until every claim for which `isOpen` is true has a kill. */
  const plantInMoved = async (unit: Unit, isOpen: (claim: TestClaim) => boolean) => {
    if (of.mutants === 0 || !unproven().some(isOpen)) return;
    const places = untriedPlaces(unit, inMoved, (...line) => !isNew(...line)).values();
    const isEnough = (more: readonly PlantedFault[]) => !unproven(killsOfFaults(more)).some(isOpen);
    const more = await plantFaults(places, runs, { isEnough });
    kills.push(...killsOfFaults(more, around.length + inMoved.length, 'k'));
    inMoved.push(...more);
  };
  for (const [unit, { failures }] of unitResults)
    await plantInMoved(unit, ({ test }) => failures.some(failure => failure.test === test));
  await plantMore(of.places);
  for (const [unit, { status, failures }] of unitResults) {
    // A test of a function that returns nothing or a zero value passes if the function is emptied.
    const isNeededBy = (test: string) =>
      status === 'breaks' || oldBehaviour.tests.has(test) || failures.some(failure => failure.test === test);
    const isOpen = ({ test, kind }: TestClaim) => kind === 'keeps' || (needsFault(unit) && isNeededBy(test));
    const places = untriedPlaces(unit, faults, isNew);
    if (unproven().some(isOpen)) await plantMore(places.values());
    else if (unproven().length > 0) await plantMore(places.filter(isExport).values());
  }
  for (const unit of unitResults.keys()) await plantInMoved(unit, () => true);
  return { faults, kills: [...killsByUnits, ...kills] };
}

/**
 * Without an export line, tests of the exported name may not load, so only faults in the line show what these tests
 * check.
 */
const isExport = ({ at: { edits } }: PlaceInUnit): boolean => edits.some(edit => edit.isExport);

/** When several units are taken out at once, a test may fail merely because a name is missing. */
const countsTogether = (unit: Unit): boolean => unit.countsAsEvidence && newNames(unit).added.size === 0;

const needsFault = (unit: Unit): boolean => unit.mayOnlyExist && canBeFaulty(unit);

const killsOfUnits = (
  results: ReadonlyMap<Unit, UnitResult>,
  isWanted: (unit: Unit) => boolean,
  oldBehaviour: OldBehaviour,
): Kill[] =>
  [...results].flatMap(([unit, { failures, removedWith }]) => {
    const units = [unit, ...removedWith];
    const counts = removedWith.length === 0 ? unit.countsAsEvidence : units.every(countsTogether);
    return counts && units.every(isWanted)
      ? killsWithout(units, failuresWithoutUnits(failures, units, oldBehaviour))
      : [];
  });

const killsWithout = (units: readonly Unit[], failures: readonly FailedTest[]): Kill[] =>
  failures.map(failure => ({ ...failure, by: units.map(({ id }) => id) }));

/** `failures`: for each fault, the tests that it makes fail. `as` is `k` for faults that are not listed as mutants. */
const killsByFault = (failures: readonly (readonly FailedTest[])[], before: number, as: 'm' | 'k'): Kill[] =>
  failures.flatMap((each, n) => each.map(failure => ({ ...failure, by: [`${as}${before + n + 1}`] })));

/** Takes out all suitable units at once: a test may depend on several units that back each other up. */
async function killsOfAll(
  units: readonly Unit[],
  oldBehaviour: OldBehaviour,
  runs: VariantRuns,
): Promise<Kill[]> {
  const all = units.filter(unit => unit.kind === 'code' && countsTogether(unit) && !needsFault(unit));
  if (all.length < 2 || !parses(all)) return [];
  const seen = await runs.resultOf(without(all));
  return killsWithout(all, failuresWithoutUnits(seen?.failures ?? [], all, oldBehaviour));
}
