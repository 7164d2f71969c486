import { expect, test } from 'vitest';
import { ceiling } from '../../src/core/policy/verdict/verdict-ceiling.ts';

const criteria = { tests_passing: true, min_test_coverage: 0 };
const exam = {
  criteria: [
    { id: 'AC-1', status: 'confirmed' as const, reason: null },
    { id: 'AC-2', status: 'not-claimed' as const, reason: 'it passes anyway', failed: 'base' as const },
    { id: 'AC-3', status: 'could-not-run' as const, reason: 'its test was not reported on base' },
    { id: 'AC-4', status: 'look' as const, reason: null },
  ],
  faults: { tried: 10, killed: 7 },
};
const rule = (wanted: Partial<Parameters<typeof ceiling>[2]>, verdict = 'PASS') =>
  ceiling(verdict, { machine: 'pass', exam }, { ...criteria, ...wanted }).lowered;

test('a criterion whose tests prove nothing lowers a PASS; one that is unproven for another reason does so only if all criteria must be proven', () => {
  expect(rule({ criteria: 'claimed' })).toBe('PASS became MINOR_FAIL: AC-2 is not proven: it passes anyway');
  expect(rule({ criteria: 'all' })).toBe(
    'PASS became MINOR_FAIL: AC-2 is not proven: it passes anyway; AC-3 is not proven: its test was not reported on base',
  );
  expect(rule({ criteria: 'any' })).toBeNull();
  expect(rule({})).toBeNull();
  expect(rule({ criteria: 'all' }, 'FAIL')).toBeNull();
});

test('a PASS is lowered if the tests notice too few faults', () => {
  expect(rule({ min_kill_rate: 80 })).toBe(
    'PASS became MINOR_FAIL: the tests noticed 70% of the planted faults, below the minimum of 80%',
  );
  expect(rule({ min_kill_rate: 70 })).toBeNull();
  const few = { ...exam, faults: { tried: 4, killed: 0 } };
  expect(
    ceiling('PASS', { machine: 'pass', exam: few }, { ...criteria, min_kill_rate: 80 }).lowered,
  ).toBeNull();
});
