/** Takes out or breaks parts of a change, and reports what the Verifier's tests notice. */

import type { Exam, UnitStatus } from '../../formats/exam/exam-units-and-faults.ts';
import type { FailedTest, VariantResult } from '../../formats/exam/runs-of-unfinished-exam.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import type { Repository } from '../../workspace/git/run-git.ts';
import { gatherKills, type TestClaim } from './break-until-tests-fail.ts';
import { reportOf } from './build-exam-report.ts';
import { readChange } from './changed-code.ts';
import {
  firstPlaces,
  type IsWanted,
  isLoadedCode,
  type PlantedFault,
  placesIn,
  plantFaults,
  plantOtherFaults,
} from './faults/plant-faults.ts';
import { NO_OLD_BEHAVIOUR, type OldBehaviour } from './ignore-old-behaviour-failures.ts';
import { isMovedLine, movedLines } from './moved-lines.ts';
import { takeOutUnits, type UnitResult } from './take-out-units.ts';
import { type Unit, unitsOf } from './units.ts';
import { runsWithin, type VariantRuns } from './variants/budgeted-variant-runs.ts';
import { withoutConvertedCrashes } from './variants/crashes-as-assertions.ts';
import type { Errors } from './variants/failures-as-evidence.ts';
import { passing } from './variants/judge-variant-run.ts';
import type { RunVariant } from './variants/variant.ts';

export interface BreakChangeOf {
  readonly repository: Repository;
  /** The base and the result, as commits. */
  readonly base: string;
  readonly head: string;
  readonly runVariant: RunVariant;
  /** The outcomes of the tests on the result. Only tests that always pass there are used. */
  readonly headCases: TestCases;
  readonly claims: readonly TestClaim[];
  readonly oldBehaviour?: OldBehaviour;
  /** Words in `keeps` criteria and in their tests; functions whose name is one of these words are broken first. */
  readonly keptBehaviourWords?: ReadonlySet<string>;
  /** Results of an earlier exam of the same commits and tests (see `runsWithin`). */
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
  /** Maximum number of test runs at the same time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
}

export async function breakChange(of: BreakChangeOf): Promise<Exam> {
  const { repository, base, head, runVariant, headCases, claims, budget_ms, signal } = of;
  const started = performance.now();
  const change = await readChange(repository, base, head);
  const onHead = passing(headCases);
  const { known = new Map<string, VariantResult>() } = of;
  const allRuns = runsWithin({
    runVariant,
    onHead,
    known,
    signal,
    run_ms: of.run_ms ?? null,
    jobs: of.jobs,
    errors: of.errors ?? new Map(),
    budget_ms: onHead.size > 0 ? budget_ms : 0,
  });
  const runs = withoutConvertedCrashes(change, allRuns);
  const units = unitsOf(change);
  // A fault in a moved line shows nothing about the change: tests need not check what the change leaves as it was.
  const moved = movedLines(units);
  const isNew: IsWanted = (unit, line) => !isMovedLine(moved, unit, line);
  const isNoticedByAll = (faults: readonly PlantedFault[]) => {
    const noticed = new Set(
      faults.flatMap(each => each.failures.filter(runs.isEvidence)).map(each => each.test),
    );
    return claims.every(({ test }) => noticed.has(test));
  };
  // If the tests are slow, taking out all units may use up the time, so some faults are planted before that.
  const first = await plantFaults(firstPlaces(units, isNew), runs, {
    max: of.mutants,
    isEnough: isNoticedByAll,
  });
  const unitResults = await takeOutUnits(units, runs);
  const planted = first.filter(({ unit }) => isLoadedCode(unitResults.get(unit)!));
  const places = placesIn(unitResults, isNew, planted);
  planted.push(...(await plantFaults(places, runs, { max: of.mutants - planted.length })));
  planted.push(...(await plantOtherFaults(unitResults, planted, runs, isNew)));
  const { faults, kills } = await gatherKills({
    change,
    units,
    unitResults,
    places,
    planted,
    isNew,
    claims,
    oldBehaviour: of.oldBehaviour ?? NO_OLD_BEHAVIOUR,
    keptBehaviourWords: of.keptBehaviourWords ?? new Set(),
    runs,
    mutants: of.mutants,
  });
  return reportOf({
    base,
    headCases,
    results: finished(unitResults, faults, runs),
    moved,
    planted: faults,
    kills,
    claims,
    runs: runs.count,
    // If no test passes on the result, there is nothing to run, and the exam is complete although its budget is 0.
    complete: !runs.isOutOfTime || onHead.size === 0,
    duration_ms: Math.round(performance.now() - started),
  });
}

/** Determines the final status of each unit, taking into account the faults planted in its lines. */
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
  if (status === 'green' && unit.kind === 'docs') return { status: 'not-code', failures };
  if (status === 'green')
    return { status: planted.some(({ killed }) => killed) ? 'unseen' : 'untested', failures };
  // Only a fault in the lines of a unit would show whether the tests check what the lines do.
  if (status === 'reached' && planted.length === 0 && isOutOfTime) return { status: 'not-run', failures };
  // No fault can be planted in removed lines.
  if (status === 'reached' && unit.head.from === unit.head.to) return { status: 'breaks', failures };
  // If lines cannot be taken out but a test notices a fault in them, the test checks what they do.
  const asserted = planted.flatMap(each => each.failures.filter(isNoticed));
  return (status === 'reached' || status === 'breaks') && asserted.length > 0
    ? { status: 'proven', failures: [...asserted, ...failures] }
    : { status, failures };
}
