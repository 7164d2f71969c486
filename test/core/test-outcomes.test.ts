import { describe, expect, test } from 'vitest';
import { outcomeIn } from '../../src/core/policy/criteria/test-outcomes.ts';
import type { TestCaseResult } from '../../src/formats/test-cases.ts';

const outcome = (id: string, ...cases: readonly TestCaseResult[]) =>
  outcomeIn({ cases, ended: true } as never, id);
const failed = (id: string): TestCaseResult => ({ id, outcome: 'fail', failure: 'error', line: 'a' });

describe('a test whose hook or suite failed counts as failed with an error', () => {
  test.each([
    ['a.js::AC-1: list adds', 'a.js::AC-1: list "before each" hook for "adds"'],
    ['AC-1: list adds', 'AC-1: list "before all" hook in "AC-1: list"'],
    ['AC-1: list adds', '"before all" hook in "{root}"'],
    ['a.js::AC-1: list adds', 'a.js::"before each" hook for "adds"'],
    ['test_ac1 (tests.a.CartTest.test_ac1)', 'setUpClass (tests.a.CartTest)'],
    ['test_ac1 (tests.a.CartTest)', 'setUpClass (tests.a.CartTest)'],
    ['test_ac1 (tests.a.CartTest.test_ac1)', 'setUpModule (tests.a)'],
  ])('if the report lists only the hook: %s, %s', (id, hook) => {
    expect(outcome(id, failed(hook))).toBe('error');
  });

  test.each([
    ['a.mjs > AC-1: list > adds', 'a.mjs > AC-1: list'],
    ['a.mjs::AC-1: list > adds', 'a.mjs'],
  ])('if vitest reports it as skipped: %s, %s', (id, suite) => {
    expect(outcome(id, { id, outcome: 'skip' }, failed(suite))).toBe('error');
  });
});

test.each([
  ['a.js::AC-2: map adds', 'a.js::AC-1: list "before each" hook for "adds"'],
  ['test_ac1 (tests.a.CartTestOther.test_ac1)', 'setUpClass (tests.a.CartTest)'],
  ['a.mjs > AC-1: list > adds', 'a.mjs > AC-1: list > removes'],
])("a failure outside a test's own hooks and suites leaves the test missing: %s, %s", (id, hook) => {
  expect(outcome(id, failed(hook))).toBe('missing');
});

test('a test that passed stays passed, whatever else failed in its suite', () => {
  expect(outcome('a.js > b > c', { id: 'a.js > b > c', outcome: 'pass' }, failed('a.js > b'))).toBe('pass');
});
