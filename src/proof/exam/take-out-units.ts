/**
 * Takes each unit out of the result, alone or with the units that it cannot be separated from, and checks
 * what the tests notice.
 */

import type { FailedTest } from '../../formats/exam-runs.ts';
import type { UnitStatus } from '../../formats/examined-change.ts';
import type { Runs } from './budgeted-variant-runs.ts';
import type { ChangedFile } from './changed-code.ts';
import { smallestSet } from './smallest-set.ts';
import { isMoved, linked, parses, type Unit, without } from './units.ts';

/** `green`: the tests noticed nothing, although the file is loaded. */
export interface Looked {
  readonly status: UnitStatus | 'green';
  /** Units that were taken out with it. */
  readonly partners: readonly Unit[];
  readonly failures: readonly FailedTest[];
}

const looked = (status: Looked['status']): Looked => ({ status, partners: [], failures: [] });

export async function takeOutUnits(units: readonly Unit[], runs: Runs): Promise<Map<Unit, Looked>> {
  const isLoaded = canaries(runs);
  const results = new Map<Unit, Looked>();
  for (const unit of units)
    if (unit.is === 'frame') results.set(unit, looked('breaks'));
    else if (unit.is === 'not-code' || unit.is === 'types-only') results.set(unit, looked(unit.is));
  const code = units.filter(unit => !results.has(unit)).sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const unit of code) results.set(unit, await takeOut(unit, units, runs, isLoaded));
  await takeOutTogether(results, runs);
  return new Map(units.map(unit => [unit, results.get(unit)!]));
}

const sizeOf = ({ head, base }: Unit): number => head.to - head.from + base.to - base.from;

async function takeOut(unit: Unit, units: readonly Unit[], runs: Runs, isLoaded: IsLoaded): Promise<Looked> {
  if (isLoaded.known(unit.file) === false) return looked('not-loaded');
  if (runs.over) return looked('not-run');
  let reached: Looked | null = null;
  for (const { group, by } of groupsOf(unit, units)) {
    // A failure because a name is missing says less than a failure after everything that uses the name was also
    // removed.
    if (reached && by !== 'name') break;
    const seen = await runs.look(without(group));
    if (seen === null) return reached ?? looked('not-run');
    const { failures, result } = seen;
    const partners = group.filter(each => each !== unit);
    const isProven = by !== 'place' && group.every(({ credit }) => credit) && failures.some(runs.isEvidence);
    if (result === 'assert' || isProven) return { status: 'proven', partners, failures };
    if (result === 'red') reached ??= { status: 'reached', partners, failures };
    if (result === 'load' || reached) continue;
    const loaded = await isLoaded.look(unit.file);
    if (loaded === null) return looked('not-run');
    return { ...looked(loaded ? 'green' : 'not-loaded'), partners };
  }
  return reached ?? looked('breaks');
}

const NEIGHBOURS = [2, 6];

interface Group {
  readonly by: 'itself' | 'name' | 'place';
  readonly group: readonly Unit[];
}

/**
 * Yields the unit, with the other half of lines that were moved, then with units that share its names, then with its
 * neighbours; only groups without which the code still parses.
 */
function* groupsOf(unit: Unit, units: readonly Unit[]): Generator<Group> {
  const others = units.filter(each => each.is === 'code' || each.is === 'frame');
  const moved = others.filter(each => each !== unit && isMoved(unit, each));
  const own: Group = { by: 'itself', group: [unit, ...moved] };
  if (parses(own.group)) yield own;
  const near = others
    .filter(each => each.file === unit.file && each !== unit)
    .sort((a, b) => distance(a, unit) - distance(b, unit));
  const names = linked(unit, others);
  const groups: Group[] = [
    { by: 'name', group: names },
    ...NEIGHBOURS.map((count): Group => {
      return { by: 'place', group: [...new Set([...names, ...near.slice(0, count)])] };
    }),
  ];
  const sizes = new Set([own.group.length]);
  for (const each of groups) {
    if (!sizes.has(each.group.length) && parses(each.group)) yield each;
    sizes.add(each.group.length);
  }
}

const distance = (one: Unit, other: Unit): number => Math.abs(one.head.from - other.head.from);

interface IsLoaded {
  /** Null if the time ran out. */
  look(file: ChangedFile): Promise<boolean | null>;
  known(file: ChangedFile): boolean | undefined;
}

/**
 * Determines whether any test loads a file, by making the file fail when it is loaded. If that cannot be tried, the
 * file is assumed to be loaded.
 */
function canaries(runs: Runs): IsLoaded {
  const known = new Map<ChangedFile, boolean>();
  return {
    known: file => known.get(file),
    async look(file) {
      const { head, path, language } = file;
      if (head === null || language.grammar === null || known.has(file)) return known.get(file) ?? true;
      const { code, at } = language.grammar.fail;
      const top = /^#!.*\n/.exec(head)?.[0] ?? '';
      const text = at === 'start' ? `${top}${code}\n${head.slice(top.length)}` : `${head}\n${code}\n`;
      const seen = await runs.look({ of: 'head', edits: new Map([[path, Buffer.from(text)]]) });
      if (seen === null) return null;
      known.set(file, seen.result !== 'green');
      return known.get(file)!;
    },
  };
}

/** Two guards that back each other up can each be taken out unnoticed, but not both. */
async function takeOutTogether(results: Map<Unit, Looked>, runs: Runs): Promise<void> {
  for (;;) {
    const green = [...results].flatMap(([unit, { status }]) => (status === 'green' ? [unit] : []));
    const seen = new Map<readonly Unit[], readonly FailedTest[]>();
    const isNoticed = async (some: readonly Unit[]) => {
      if (runs.over || some.length < 2 || !parses(some)) return false;
      const observed = await runs.look(without(some));
      if (observed === null || observed.result === 'load' || observed.result === 'green') return false;
      seen.set(some, observed.failures);
      return true;
    };
    if (!(await isNoticed(green))) return;
    const set = await smallestSet(green, isNoticed);
    for (const unit of set)
      results.set(unit, {
        status: 'together',
        partners: set.filter(each => each !== unit),
        failures: seen.get(set) ?? [],
      });
  }
}
