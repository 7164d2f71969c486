/**
 * Takes each unit out of the result, alone or with the units that it cannot be separated from, and checks
 * what the tests notice.
 */

import type { UnitStatus } from '../../formats/exam/exam-units-and-faults.ts';
import type { FailedTest } from '../../formats/exam/runs-of-unfinished-exam.ts';
import { mapParallel } from '../../process/map-parallel.ts';
import type { ChangedFile } from './changed-code.ts';
import { parses, without } from './code-without-units.ts';
import { smallestSet } from './delta-debugging.ts';
import { linked } from './linked-units.ts';
import { failingText } from './syntax/languages.ts';
import type { Unit } from './units.ts';
import type { VariantRuns } from './variants/budgeted-variant-runs.ts';

/** `green`: the tests noticed nothing, although the file is loaded. */
export interface UnitResult {
  readonly status: UnitStatus | 'green';
  /** Units that were taken out together with this one. */
  readonly removedWith: readonly Unit[];
  readonly failures: readonly FailedTest[];
}

const resultOf = (status: UnitResult['status']): UnitResult => ({ status, removedWith: [], failures: [] });

export async function takeOutUnits(
  units: readonly Unit[],
  runs: VariantRuns,
): Promise<Map<Unit, UnitResult>> {
  const loaded = new Map<ChangedFile, boolean>();
  const results = new Map<Unit, UnitResult>();
  for (const unit of units)
    if (unit.kind === 'frame') results.set(unit, resultOf('breaks'));
    else if (unit.kind === 'not-code' || unit.kind === 'types-only') results.set(unit, resultOf(unit.kind));
  const code = units.filter(unit => !results.has(unit)).sort((a, b) => sizeOf(b) - sizeOf(a));
  await mapParallel(runs.jobs, code, async unit => {
    results.set(unit, await takeOut(unit, units, runs, loaded));
  });
  await takeOutTogether(results, runs);
  return new Map(units.map(unit => [unit, results.get(unit)!]));
}

const sizeOf = ({ head, base }: Unit): number => head.to - head.from + base.to - base.from;

async function takeOut(
  unit: Unit,
  units: readonly Unit[],
  runs: VariantRuns,
  loaded: Map<ChangedFile, boolean>,
): Promise<UnitResult> {
  if (loaded.get(unit.file) === false) return resultOf('not-loaded');
  if (runs.isOutOfTime) return resultOf('not-run');
  let partial: UnitResult | null = null;
  for (const { group, by } of groupsOf(unit, units)) {
    // A test that fails only because a name is missing is weaker evidence than one that still fails once every use of
    // the name is removed too.
    if (partial && by !== 'name') break;
    const outcome = await runs.resultOf(without(group));
    if (outcome === null) return partial ?? resultOf('not-run');
    const { failures, result } = outcome;
    const removedWith = group.filter(each => each !== unit);
    const isProven =
      by !== 'place' && group.every(each => each.countsAsEvidence) && failures.some(runs.isNoticed);
    if (result === 'assert' || isProven) return { status: 'proven', removedWith, failures };
    if (result === 'red') partial ??= { status: 'reached', removedWith, failures };
    if (result === 'load' || partial) continue;
    const isLoaded = loaded.get(unit.file) ?? (await checkLoad(unit.file, runs));
    if (isLoaded === null) return resultOf('not-run');
    loaded.set(unit.file, isLoaded);
    return { ...resultOf(isLoaded ? 'green' : 'not-loaded'), removedWith };
  }
  return partial ?? resultOf('breaks');
}

const NEIGHBOURS = [1, 2, 6];

interface Group {
  readonly by: 'itself' | 'name' | 'place';
  readonly group: readonly Unit[];
}

/**
 * Yields the unit alone, then with units that share its names, then with its neighbours; only groups without which the
 * code still parses.
 */
function* groupsOf(unit: Unit, units: readonly Unit[]): Generator<Group> {
  const alone: Group = { by: 'itself', group: [unit] };
  if (parses(alone.group)) yield alone;
  const others = units.filter(each => each.kind === 'code' || each.kind === 'frame');
  const neighbours = others
    .filter(each => each.file === unit.file && each !== unit)
    .sort((a, b) => distance(a, unit) - distance(b, unit));
  const names = linked(unit, others);
  const groups: Group[] = [
    { by: 'name', group: names },
    ...NEIGHBOURS.map((count): Group => {
      return { by: 'place', group: [...new Set([...names, ...neighbours.slice(0, count)])] };
    }),
  ];
  const sizes = new Set([alone.group.length]);
  for (const each of groups) {
    if (!sizes.has(each.group.length) && parses(each.group)) yield each;
    sizes.add(each.group.length);
  }
}

const distance = (one: Unit, other: Unit): number => Math.abs(one.head.from - other.head.from);

/**
 * Determines whether any test loads a file, by making the file fail when it is loaded. If that cannot be tried, the
 * file is assumed to be loaded. Null if the time ran out.
 */
async function checkLoad({ head, path, language }: ChangedFile, runs: VariantRuns): Promise<boolean | null> {
  if (head === null || language.grammar === null) return true;
  const text = Buffer.from(failingText(head, language.grammar));
  const seen = await runs.resultOf({ of: 'head', edits: new Map([[path, text]]) });
  return seen && seen.result !== 'green';
}

/** Takes out several unnoticed units together: if two guards back each other up, tests notice only the loss of both. */
async function takeOutTogether(results: Map<Unit, UnitResult>, runs: VariantRuns): Promise<void> {
  for (;;) {
    const green = [...results].flatMap(([unit, { status }]) => (status === 'green' ? [unit] : []));
    const seen = new Map<readonly Unit[], readonly FailedTest[]>();
    const isNoticed = async (group: readonly Unit[]) => {
      if (runs.isOutOfTime || group.length < 2 || !parses(group)) return false;
      const outcome = await runs.resultOf(without(group));
      if (outcome === null || outcome.result === 'load' || outcome.result === 'green') return false;
      seen.set(group, outcome.failures);
      return true;
    };
    if (!(await isNoticed(green))) return;
    const set = await smallestSet(green, isNoticed);
    const failures = seen.get(set) ?? [];
    const status = failures.some(runs.isNoticed) ? 'together' : 'reached';
    for (const unit of set)
      results.set(unit, { status, removedWith: set.filter(each => each !== unit), failures });
  }
}
