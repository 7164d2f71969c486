/** Which changed lines tests defend, from the units and faults of an exam. */
import { expect, it } from 'vitest';
import {
  countMoved,
  countUndefended,
  isAllMoved,
  lineDefence,
  linesToTest,
  undefendedPlaces,
  undefendedUnits,
} from '../../src/core/policy/criteria/lines-defended-by-tests.ts';
import type { ExamMutant, ExamUnit, UnitStatus } from '../../src/formats/exam/exam-units-and-faults.ts';
import { unitStatus } from '../../src/formats/exam/exam-units-and-faults.ts';
import { examWith } from '../helpers/sample-exam.ts';

const unit = (status: UnitStatus, more: Partial<ExamUnit> = {}): ExamUnit => ({
  id: 'u1',
  file: 'src/a.ts',
  lines: { first: 3, last: 6 },
  base_lines: null,
  at: 2,
  status,
  killers: status === 'proven' ? [{ test: 'refuses', failure: 'assert' }] : [],
  ...more,
});
const fault = (line: number, killed: boolean, change = '`<` → `<=`'): ExamMutant => ({
  id: `m${line}`,
  unit: 'u1',
  file: 'src/a.ts',
  line,
  change,
  killed,
  killers: killed ? [{ test: 'counts', failure: 'assert' }] : [],
});

it.each([
  ['proven', 'defended'],
  ['together', 'defended'],
  ['reached', 'weak'],
  ['unseen', 'weak'],
  ['untested', 'undefended'],
  ['not-loaded', 'undefended'],
  ['breaks', 'unknown'],
  ['not-code', 'unknown'],
  ['types-only', 'unknown'],
  ['not-run', 'unknown'],
] satisfies [UnitStatus, string][])('lines of a unit with the status %s are %s', (status, defence) => {
  expect(lineDefence(examWith([unit(status)]))).toMatchObject([{ first: 3, last: 6, status, defence }]);
});

it('every status of a unit maps to a defence', () => {
  for (const status of unitStatus.options)
    expect(lineDefence(examWith([unit(status)]))[0]!.defence).toBeDefined();
});

it('a surviving fault makes only its own line weak; every line of the unit lists the tests of the unit', () => {
  const faults = [fault(4, false), fault(5, true)];
  const tests = ['refuses', 'counts'];
  expect(lineDefence(examWith([unit('proven')], faults))).toMatchObject([
    { first: 3, last: 3, defence: 'defended', tests, survived: [] },
    { first: 4, last: 4, defence: 'weak', tests, survived: ['`<` → `<=`'] },
    { first: 5, last: 6, defence: 'defended', tests, survived: [] },
  ]);
});

it('surviving faults on neighbouring lines, or on the first or last line, leave no empty range', () => {
  const faults = [fault(3, false, 'a'), fault(4, false, 'b'), fault(6, false, 'c'), fault(6, false, 'd')];
  expect(
    lineDefence(examWith([unit('proven')], faults)).map(line => [line.first, line.last, line.survived]),
  ).toEqual([
    [3, 3, ['a']],
    [4, 4, ['b']],
    [5, 5, []],
    [6, 6, ['c', 'd']],
  ]);
});

it('lines that were only removed are reported as lines of base', () => {
  const removed = unit('untested', { lines: null, base_lines: { first: 8, last: 9 } });
  expect(lineDefence(examWith([removed]))).toMatchObject([
    { side: 'old', first: 8, last: 9, defence: 'undefended' },
  ]);
});

it('a place where lines were only removed is marked as such, because the line shown there was not changed', () => {
  const removed = unit('untested', { lines: null, base_lines: { first: 8, last: 9 }, at: 7 });
  expect(undefendedPlaces(examWith([unit('untested'), removed]))).toEqual([
    'src/a.ts:3-6',
    'src/a.ts:7 (removed lines)',
  ]);
});

it('lines that only moved stay undefended, and are marked as only moved', () => {
  const moved = { moved: true } as const;
  const removed = unit('untested', { lines: null, base_lines: { first: 8, last: 9 }, at: 7, ...moved });
  const exam = examWith([unit('untested', moved), removed]);
  expect(lineDefence(exam).map(({ defence }) => defence)).toEqual(['undefended', 'undefended']);
  expect(undefendedPlaces(exam)).toEqual([
    'src/a.ts:3-6 (only moved)',
    'src/a.ts:7 (removed lines, only moved)',
  ]);
  expect(isAllMoved(undefendedUnits(exam))).toBe(true);
  expect(isAllMoved(undefendedUnits(examWith([...exam.units, unit('untested')])))).toBe(false);
  expect(isAllMoved([])).toBe(false);
});

it.each(['proven', 'together', 'reached', 'unseen'] satisfies UnitStatus[])(
  'lines that only moved, in a unit with the status %s, are neither defended nor weak, because a fault in them shows nothing about the change',
  status => {
    const [range, ...others] = lineDefence(examWith([unit(status, { moved: true })], [fault(4, false)]));
    expect(range).toMatchObject({ first: 3, last: 6, defence: 'unknown', moved: true, survived: [] });
    expect(others).toEqual([]);
  },
);

it('lines of a unit that only moved are reported separately from its other lines', () => {
  const some = unit('untested', {
    moved_lines: [
      { first: 3, last: 3 },
      { first: 5, last: 6 },
    ],
  });
  expect(lineDefence(examWith([some])).map(({ first, last, moved }) => [first, last, moved])).toEqual([
    [3, 3, true],
    [4, 4, undefined],
    [5, 6, true],
  ]);
  const proven = unit('proven', { moved_lines: [{ first: 4, last: 5 }] });
  const defences = lineDefence(examWith([proven], [fault(6, false)])).map(({ first, defence }) => [
    first,
    defence,
  ]);
  expect(defences).toEqual([
    [3, 'defended'],
    [4, 'unknown'],
    [6, 'weak'],
  ]);
  const removed = unit('untested', {
    lines: null,
    base_lines: { first: 8, last: 9 },
    at: 7,
    moved_lines: [{ first: 8, last: 8 }],
  });
  expect(undefendedPlaces(examWith([some, removed]))).toEqual([
    'src/a.ts:3-6 (3, 5-6 only moved)',
    'src/a.ts:7 (removed lines, some only moved)',
  ]);
  expect(isAllMoved(undefendedUnits(examWith([some])))).toBe(false);
});

it('undefended lines are counted, and so are those among them that only moved', () => {
  const some = unit('untested', { moved_lines: [{ first: 3, last: 4 }] });
  const removed = unit('untested', { lines: null, base_lines: { first: 8, last: 9 }, moved: true });
  expect(countUndefended([some, unit('untested', { moved: true }), removed])).toEqual({
    lines: 8,
    places: 3,
    moved: 6,
  });
  expect(countUndefended([removed])).toEqual({ lines: 0, places: 1, moved: 1 });
});

it('lines that only moved are counted, and are not sent back to be tested', () => {
  const lines = lineDefence(examWith([unit('untested', { moved_lines: [{ first: 4, last: 5 }] })]));
  expect(countMoved(lines)).toBe(2);
  expect(linesToTest(lines).map(({ first, last }) => [first, last])).toEqual([
    [3, 3],
    [6, 6],
  ]);
});
