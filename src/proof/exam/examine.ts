/**
 * The exam of the Verifier's tests: takes out or breaks the parts of a change, one after the other, and
 * reports what the tests notice.
 */

import type { FailedTest, VariantResult } from '../../formats/exam-runs.ts';
import type { Exam, Kill, UnitStatus } from '../../formats/exam-units.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import type { Repository } from '../../workspace/git.ts';
import { runsWithin, type VariantRuns } from './budgeted-variant-runs.ts';
import { readChange } from './changed-code.ts';
import { reportOf } from './exam-report.ts';
import { newNames } from './linked-units.ts';
import {
  linesOfUnit,
  type Place,
  type PlantedFault,
  placesIn,
  plantFaults,
  plantOtherFaults,
  untriedPlaces,
} from './plant-faults.ts';
import { plantAround, plantInRenamed } from './plant-faults-around.ts';
import { takeOutUnits, type UnitResult } from './take-out-units.ts';
import { parses, type Unit, unitsOf, without } from './units.ts';
import type { RunVariant } from './variant.ts';
import { type Errors, passing } from './variant-result.ts';

/** A test that claims a criterion. */
export interface TestClaim {
  /** Its id, as in test-cases.json. */
  readonly test: string;
  /** `keeps`: it passes before and after the change. */
  readonly kind: 'behaviour' | 'keeps';
}

export interface ExamineOf {
  readonly repository: Repository;
  /** Commits. */
  readonly base: string;
  readonly head: string;
  readonly runVariant: RunVariant;
  /** The tests on head. Only those that always pass there are used. */
  readonly headCases: TestCases;
  readonly claims: readonly TestClaim[];
  /** Results of an earlier exam of the same commits and tests, see `runsWithin`. */
  readonly known?: Map<string, VariantResult>;
  readonly budget_ms: number;
  /** How long the tests take on the result; absent if that is not known. */
  readonly run_ms?: number;
  /** How the tests fail on base when the added lines are kept as comments. */
  readonly errors?: Errors;
  /**
   * Maximum number of faults to plant; more are planted only for tests that claim a criterion and have not failed on
   * any variant yet.
   */
  readonly mutants: number;
  readonly signal: AbortSignal;
}

export async function examine(of: ExamineOf): Promise<Exam> {
  const { repository, base, head, runVariant, headCases, claims, budget_ms, signal } = of;
  const started = performance.now();
  const change = await readChange(repository, base, head);
  const onHead = passing(headCases);
  const { known = new Map<string, VariantResult>() } = of;
  const runs = runsWithin({
    runVariant,
    onHead,
    known,
    signal,
    run_ms: of.run_ms ?? null,
    errors: of.errors ?? new Map(),
    budget_ms: onHead.size > 0 ? budget_ms : 0,
  });
  const units = unitsOf(change);
  const unitResults = await takeOutUnits(units, runs);
  const places = placesIn(unitResults);
  const planted = await plantFaults(places, runs, ({ length }) => length >= of.mutants);
  planted.push(...(await plantOtherFaults(unitResults, planted, runs)));
  const killsByUnits = killsOfUnits(unitResults, unit => !canBeFaulty(unit));
  const kills = killsOfFaults(planted);
  const missing = (more: readonly Kill[] = []) => {
    const seen = [...killsByUnits, ...kills, ...more].filter(runs.isEvidence);
    return claims.filter(({ test }) => !seen.some(kill => kill.test === test));
  };
  if (missing().length > 0) kills.push(...(await killsOfAll(units, runs)));
  const missingOf = (wanted: TestClaim['kind']) =>
    new Set(missing().flatMap(({ test, kind }) => (kind === wanted ? [test] : [])));
  const around = [
    ...(await plantAround(change.code, missingOf('keeps'), runs)),
    ...(await plantInRenamed(change.code, missingOf('behaviour'), runs)),
  ];
  for (const [n, failures] of around.entries())
    kills.push(...failures.map(failure => ({ ...failure, by: [`k${n + 1}`] })));
  // Everything is tried before a test that claims a criterion is reported as noticing nothing.
  const isEnough = (more: readonly PlantedFault[]) =>
    of.mutants === 0 || missing(killsOfFaults(more)).length === 0;
  const plantMore = async (more: Iterator<Place>) => {
    const further = await plantFaults(more, runs, isEnough);
    kills.push(...killsOfFaults(further, planted.length));
    planted.push(...further);
  };
  await plantMore(places);
  for (const [unit, { failures }] of unitResults)
    if (canBeFaulty(unit) && missing().some(({ test }) => failures.some(failure => failure.test === test)))
      await plantMore(untriedPlaces(unit, planted).values());
  const results = finished(unitResults, planted, runs);
  const isFaulty = (unit: Unit) => planted.some(each => each.unit === unit);
  return reportOf({
    base,
    headCases,
    results,
    planted,
    kills: [...killsOfUnits(unitResults, unit => !unit.isEmptied || !isFaulty(unit)), ...kills],
    claims,
    runs: runs.count,
    complete: !runs.isOutOfTime,
    duration_ms: Math.round(performance.now() - started),
  });
}

/** The result of a unit once the faults in its lines are known. */
function finished(
  unitResults: ReadonlyMap<Unit, UnitResult>,
  planted: readonly PlantedFault[],
  runs: VariantRuns,
): Map<Unit, UnitResult & { status: UnitStatus }> {
  const own = (unit: Unit) => planted.filter(each => each.unit === unit);
  return new Map(
    [...unitResults].map(([unit, result]) => [unit, { ...result, ...finish(unit, result, own(unit), runs) }]),
  );
}

function finish(
  unit: Unit,
  { status, failures }: UnitResult,
  planted: readonly PlantedFault[],
  { isNoticed, isOutOfTime }: VariantRuns,
): { status: UnitStatus; failures: readonly FailedTest[] } {
  if (status === 'green' && unit.is === 'docs') return { status: 'not-code', failures };
  if (status === 'green')
    return { status: planted.some(({ killed }) => killed) ? 'unseen' : 'untested', failures };
  // Only a fault in these lines shows whether the tests check what the lines do.
  if (status === 'reached' && planted.length === 0 && isOutOfTime) return { status: 'not-run', failures };
  // No fault can be planted in removed lines.
  if (status === 'reached' && unit.head.from === unit.head.to) return { status: 'breaks', failures };
  // A test that notices a fault in lines that cannot be taken out checks what these lines do.
  const asserted = planted.flatMap(each => each.failures.filter(isNoticed));
  return (status === 'reached' || status === 'breaks') && asserted.length > 0
    ? { status: 'proven', failures: [...asserted, ...failures] }
    : { status, failures };
}

/** When several units are taken out at once, a test may fail merely because a name is missing. */
const countsTogether = (unit: Unit): boolean => unit.countsAsEvidence && newNames(unit).added.size === 0;

/**
 * If a function is emptied, a test that checks only the type of its result fails too. A fault in one of its lines
 * shows more.
 */
const canBeFaulty = (unit: Unit): boolean => unit.isEmptied && linesOfUnit(unit).length > 0;

const killsOfUnits = (results: ReadonlyMap<Unit, UnitResult>, isWanted: (unit: Unit) => boolean): Kill[] =>
  [...results].flatMap(([unit, { failures, removedWith }]) => {
    const counts =
      removedWith.length === 0 ? unit.countsAsEvidence : [unit, ...removedWith].every(countsTogether);
    return counts && [unit, ...removedWith].every(isWanted)
      ? failures.map(failure => ({ ...failure, by: [unit, ...removedWith].map(({ id }) => id) }))
      : [];
  });

const killsOfFaults = (planted: readonly PlantedFault[], before = 0): Kill[] =>
  planted.flatMap(({ failures }, n) => failures.map(failure => ({ ...failure, by: [`m${before + n + 1}`] })));

/** Takes out all suitable units at once: a test may depend on several units that back each other up. */
async function killsOfAll(units: readonly Unit[], runs: VariantRuns): Promise<Kill[]> {
  const all = units.filter(unit => unit.is === 'code' && countsTogether(unit) && !canBeFaulty(unit));
  if (all.length < 2 || !parses(all)) return [];
  const seen = await runs.resultOf(without(all));
  return (seen?.failures ?? []).map(failure => ({ ...failure, by: all.map(({ id }) => id) }));
}
