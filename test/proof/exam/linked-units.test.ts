import { expect, test } from 'vitest';
import { readChange } from '../../../src/proof/exam/changed-code.ts';
import { linked } from '../../../src/proof/exam/linked-units.ts';
import { unitsOf } from '../../../src/proof/exam/units.ts';
import { sample } from './sample-repository.ts';

const functions = (first: string, second: string, use: string) =>
  [
    'def one(n):',
    ...(first ? [`    ${first}`] : []),
    '    check(n)',
    `    return ${use}`,
    '',
    'def two(n):',
    ...(second ? [`    ${second}`] : []),
    '    return n\n',
  ].join('\n');

test('an assigned variable links units within its function, but not units of other functions that use the same name', async () => {
  const { repository, base, head } = await sample(
    { 'a.py': functions('', '', 'n') },
    { 'a.py': functions('result = n + 1', 'result = n', 'result') },
  );
  const units = unitsOf(await readChange(repository, base, head));
  expect(units.map(unit => unit.head.from + 1)).toEqual([2, 4, 7]);
  const groups = units.map(unit => linked(unit, units).map(({ id }) => id));
  expect(groups).toEqual([['u1', 'u2'], ['u2'], ['u3']]);
});
