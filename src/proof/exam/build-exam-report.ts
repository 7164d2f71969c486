/** Converts the results of an exam to the format of exam.json. Pure. */

import {
  type Exam,
  type ExamUnit,
  type Kill,
  type Killer,
  type UnitStatus,
  unitStatus,
} from '../../formats/exam/exam-units-and-faults.ts';
import type { FailedTest } from '../../formats/exam/runs-of-unfinished-exam.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import type { TestClaim } from './break-until-tests-fail.ts';
import type { PlantedFault } from './faults/plant-faults.ts';
import type { MovedLines, MovedUnits } from './moved-lines.ts';
import type { Lines } from './syntax/text-lines.ts';
import type { UnitResult } from './take-out-units.ts';
import type { Unit } from './units.ts';

export interface Results {
  readonly base: string;
  readonly headCases: TestCases;
  readonly results: ReadonlyMap<Unit, UnitResult & { readonly status: UnitStatus }>;
  readonly moved: MovedUnits;
  readonly planted: readonly PlantedFault[];
  readonly kills: readonly Kill[];
  readonly claims: readonly TestClaim[];
  readonly runs: number;
  readonly complete: boolean;
  readonly duration_ms: number;
}

export function reportOf(of: Results): Exam {
  const { base, headCases, results, moved, planted, kills, claims, runs, complete, duration_ms } = of;
  const claimed = new Set(claims.map(({ test }) => test));
  const units = [...results].map(([unit, result]) => ({
    ...unitOf(unit, result, claimed),
    ...moveOf(moved.get(unit)),
  }));
  const killed = planted.filter(each => each.killed).length;
  const statuses = Object.fromEntries(
    unitStatus.options.map(status => [status, units.filter(unit => unit.status === status).length]),
  ) as Record<UnitStatus, number>;
  return {
    base,
    tree: headCases.tree,
    tests_tree: headCases.tests_tree,
    runs,
    duration_ms,
    complete,
    units,
    mutants: planted.map(({ unit, fault, killed, failures }, n) => ({
      id: `m${n + 1}`,
      unit: unit.id,
      file: unit.file.path,
      line: fault.line + 1,
      change: fault.change,
      killed,
      killers: killersOf(failures, claimed),
    })),
    kills: [...claimed].flatMap(test => kills.filter(kill => kill.test === test).sort(byStrength)),
    counts: {
      units: units.length,
      statuses,
      mutants: { tried: planted.length, killed, ...wilson(killed, planted.length) },
    },
  };
}

const MAX_KILLERS = 3;
const MAX_KILLS = 8;

/** Selects the part of the report to store: for a test that fails on many variants, only the first failures. */
export const storedReport = (exam: Exam): Exam => {
  const stored = new Map<string, number>();
  const isStored = ({ test }: Kill): boolean => {
    const count = stored.get(test) ?? 0;
    stored.set(test, count + 1);
    return count < MAX_KILLS;
  };
  return { ...exam, kills: exam.kills.filter(isStored) };
};

const byStrength = (a: Kill, b: Kill): number =>
  Number(b.failure === 'assert') - Number(a.failure === 'assert');

const unitOf = (
  { id, file, head, base }: Unit,
  { status, removedWith, failures }: UnitResult & { readonly status: UnitStatus },
  claimed: ReadonlySet<string>,
): ExamUnit => ({
  id,
  file: file.path,
  lines: rangeOf(head),
  base_lines: rangeOf(base),
  at: head.from,
  status,
  ...(removedWith.length > 0 && { with: removedWith.map(each => each.id) }),
  killers: killersOf(failures, claimed),
});

const moveOf = (moved: MovedLines | undefined): Pick<ExamUnit, 'moved' | 'moved_lines'> =>
  moved?.isWhole
    ? { moved: true }
    : moved
      ? { moved_lines: moved.lines.map(({ from, to }) => ({ first: from + 1, last: to })) }
      : {};

/** Converts a range to line numbers that start at 1; null if it is empty. */
const rangeOf = ({ from, to }: Lines) => (from === to ? null : { first: from + 1, last: to });

/** Lists failed assertions first and, within each group, tests that claim a criterion first; keeps `MAX_KILLERS`. */
const killersOf = (failures: readonly FailedTest[], claimed: ReadonlySet<string>): Killer[] =>
  failures
    .map(({ test, failure }) => ({ test, failure }))
    .sort((a, b) => rank(b, claimed) - rank(a, claimed))
    .slice(0, MAX_KILLERS);

const rank = ({ test, failure }: Killer, claimed: ReadonlySet<string>): number =>
  2 * Number(failure === 'assert') + Number(claimed.has(test));

const Z = 1.96;

/** Computes the 95% confidence interval of a proportion. */
function wilson(of: number, n: number): { low: number | null; high: number | null } {
  if (n === 0) return { low: null, high: null };
  const p = of / n;
  const middle = p + Z ** 2 / (2 * n);
  const half = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const bound = (value: number) => Number((value / (1 + Z ** 2 / n)).toFixed(3));
  return { low: Math.max(0, bound(middle - half)), high: Math.min(1, bound(middle + half)) };
}
