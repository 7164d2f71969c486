import { expect, test } from 'vitest';
import { judgeCriterionTests } from '../../src/core/policy/criteria/judge-criterion-tests.ts';
import { judgeTest, TIME_UP } from '../../src/core/policy/criteria/judge-test.ts';
import { outcomeIn } from '../../src/core/policy/criteria/test-outcomes.ts';
import { verdictOf } from '../../src/core/policy/verdict/prove-pack-criterion-verdict.ts';
import type { JudgedCriterion, TestOutcome, TestOutcomes } from '../../src/formats/exam/criteria-report.ts';
import type { TestCases } from '../../src/formats/test-cases.ts';
import fc from '../helpers/fast-check-seed.ts';
import { judgedCriterion } from '../helpers/sample-criteria.ts';

const NONE = { problem: null, limit: null };
const REAL: TestOutcomes = {
  id: 'a',
  head: ['pass', 'pass'],
  base: ['assert', 'assert'],
  ghost: 'assert',
  placebo: 'pass',
  killed_by: ['u1'],
};
const KEPT: TestOutcomes = { ...REAL, base: ['pass', 'pass'], ghost: 'pass' };

test.each<[string, TestOutcomes['head']]>([
  ['its test does not always pass', ['pass', 'assert']],
  ['its test does not always pass', ['pass', 'missing', 'assert']],
  ['its test was not reported in every test run on the result', ['pass', 'missing']],
])('a test gets the reason "%s" if its outcomes on the result are %j', (reason, head) => {
  expect(judgeTest('behaviour', { ...REAL, head }, { problem: 'a problem on base', limit: null })).toEqual({
    status: 'could-not-run',
    reason,
  });
});

const NOT_NEGATED = 'Dure cannot negate any assertion of its test';
test.each<[string, Partial<TestOutcomes>, string]>([
  [NOT_NEGATED, { negated: 'unrecognized' }, TIME_UP],
  ['its test file cannot be loaded with its assertions negated', { negated: 'load' }, TIME_UP],
  [TIME_UP, { negated: 'assert' }, TIME_UP],
  [TIME_UP, {}, TIME_UP],
  [
    'its tests need a file that the result changes',
    { negated: 'unrecognized' },
    'its tests need a file that the result changes',
  ],
])('if the exam ended early, a test gets the reason "%s": %j', (reason, outcomes, limit) => {
  const untried = { ...REAL, killed_by: null, ...outcomes };
  for (const kind of ['behaviour', 'keeps'] as const) {
    const test = kind === 'keeps' ? { ...untried, base: KEPT.base, ghost: KEPT.ghost } : untried;
    expect(judgeTest(kind, test, { problem: null, limit })).toEqual({ status: 'passes', reason });
  }
});

test('if the exam ended early, a criterion gets the reason of the test that a longer exam might confirm', () => {
  const untried = { ...REAL, killed_by: null };
  const tests: TestOutcomes[] = [{ ...untried, negated: 'unrecognized' }, untried];
  const reasonOf = (of: readonly TestOutcomes[]) =>
    judgeCriterionTests('behaviour', of, { problem: null, limit: TIME_UP }).reason;
  expect(reasonOf(tests)).toBe(TIME_UP);
  expect(reasonOf(tests.slice(0, 1))).toBe(NOT_NEGATED);
});

test.each<[string, Partial<TestOutcomes>]>([
  ['confirmed', {}],
  ['confirmed', { base: ['load', 'load'], ghost: 'load' }],
  ['confirmed', { base: ['error', 'timeout'], ghost: 'error' }],
  ['not-claimed base', { base: ['pass', 'pass'] }],
  ['not-claimed ghost', { ghost: 'pass' }],
  ['not-claimed placebo', { placebo: 'assert' }],
  ['not-claimed negated', { negated: 'pass' }],
  ['confirmed', { negated: 'assert' }],
  ['passes', { negated: 'missing' }],
  ['passes', { negated: 'load' }],
  ['passes', { negated: 'unrecognized' }],
  ['not-claimed kill', { killed_by: [] }],
  ['not-claimed kill', { killed_by: [], stubs: 'pass' }],
  ['confirmed', { stubs: 'pass' }],
  ['fails', { head: ['pass', 'assert'].map(() => 'assert' as const) }],
  ['could-not-run', { head: ['pass', 'assert'] }],
  ['could-not-run', { base: ['pass', 'assert'] }],
  ['could-not-run not-run', { base: ['missing', 'missing'] }],
  ['could-not-run not-run', { base: ['missing', 'assert'] }],
  ['not-claimed base', { base: ['skip', 'skip'] }],
  ['could-not-run not-run', { base: ['skip', 'assert'] }],
  ['could-not-run not-run', { ghost: 'missing' }],
  ['could-not-run not-run', { placebo: 'missing' }],
  ['passes', { base: [], ghost: null, placebo: null, killed_by: null }],
  ['passes', { killed_by: null }],
  ['passes', { ghost: null }],
])('a test is %s: %j', (expected, looks) => {
  const { status, failed } = judgeTest('behaviour', { ...REAL, ...looks }, NONE);
  expect([status, failed].filter(Boolean).join(' ')).toBe(expected);
});

test.each<[string, Partial<TestOutcomes>]>([
  ['confirmed', {}],
  ['not-claimed base', { base: ['assert', 'assert'] }],
  ['not-claimed base', { base: ['skip', 'skip'] }],
  ['could-not-run', { base: ['pass', 'assert'] }],
  ['not-claimed placebo', { placebo: 'error' }],
  ['could-not-run', { base: ['load', 'load'] }],
  ['not-claimed kill', { killed_by: [] }],
  ['not-claimed negated', { killed_by: [], negated: 'pass' }],
  ['not-claimed kill', { killed_by: [], negated: 'missing' }],
  ['not-claimed kill', { killed_by: [], negated: 'load' }],
  ['not-claimed kill', { killed_by: [], negated: 'unrecognized' }],
  ['passes', { killed_by: [], negated: 'assert' }],
  ['passes', { killed_by: [], negated: 'assert', stubs: 'pass' }],
])('a test of existing behaviour is %s: %j', (expected, looks) => {
  const { status, failed } = judgeTest('keeps', { ...KEPT, ...looks }, NONE);
  expect([status, failed].filter(Boolean).join(' ')).toBe(expected);
});

test('if the exam ended early, that is the reason why a test is not confirmed', () => {
  const judged = (looks: Partial<TestOutcomes>) =>
    judgeTest('behaviour', { ...REAL, ...looks }, { problem: 'it ended', limit: 'time' });
  expect(judged({ ghost: null })).toEqual({ status: 'passes', reason: 'it ended' });
  expect(judged({ killed_by: null })).toEqual({ status: 'passes', reason: 'it ended' });
});

test('a test is not to blame for being missing if no test could run on base', () => {
  const missing: TestOutcomes = { ...REAL, base: ['missing', 'missing'] };
  expect(judgeTest('behaviour', missing, { problem: 'the set-up failed', limit: null })).toEqual({
    status: 'could-not-run',
    reason: 'the set-up failed',
  });
});

test('one test is enough to prove a criterion, but all of its tests have to pass on the result', () => {
  const hollow: TestOutcomes = { ...REAL, base: ['pass', 'pass'] };
  const flaky: TestOutcomes = { ...REAL, head: ['pass', 'assert'] };
  expect(judgeCriterionTests('behaviour', [hollow, REAL], NONE).status).toBe('confirmed');
  expect(judgeCriterionTests('behaviour', [flaky, REAL], NONE).status).toBe('could-not-run');
  expect(judgeCriterionTests('behaviour', [hollow, hollow], NONE).failed).toBe('base');
});

test('a test in a file that could not be loaded counts as failed; a test that was not reached counts as missing', () => {
  const run = (cases: TestCases['cases'], ended: boolean): TestCases => ({
    tree: 't',
    tests_tree: 'u',
    side: 'base',
    machine: 'fail',
    ended,
    cases,
  });
  const load = { id: 'test/a.test.ts', outcome: 'fail', failure: 'load' } as const;
  expect(outcomeIn(run([load], true), 'test/a.test.ts::AC-1: adds')).toBe('load');
  expect(outcomeIn(run([load], true), 'test/b.test.ts::AC-1: adds')).toBe('missing');
  expect(outcomeIn(run([{ ...load, id: 'a.test.mjs' }], true), 'AC-1: adds')).toBe('load');
  expect(outcomeIn(run([{ ...load, id: 'a.test.mjs' }], false), 'AC-1: adds')).toBe('missing');
  expect(outcomeIn(run([{ id: 'x', outcome: 'fail', failure: 'assert' }], false), 'AC-1: adds')).toBe(
    'missing',
  );
});

const FALLS = 2 ** 10;

/** Whether a claim is confirmed if its test is a coin that falls like this in five rounds on each side. */
function isConfirmed(fall: number): boolean {
  const rounds = Array.from({ length: 10 }, (_, n) => (fall & (1 << n) ? 'pass' : 'assert') as TestOutcome);
  const looks = { ...REAL, head: rounds.slice(0, 5), base: rounds.slice(5) };
  const criterion = { id: 'AC-1', kind: 'behaviour', text: 'It greets.' } as const;
  const judged = judgedCriterion({ ...criterion, tests: [looks], ...judgeTest('behaviour', looks, NONE) });
  const claimed: JudgedCriterion = { ...judged, status: 'confirmed', reason: null };
  return verdictOf(claimed, { judged, excuse: null, notOwn: null, broken: null }).verdict === 'CONFIRMED';
}

test('of all possible outcomes of a coin-flip test in five rounds on the result and five on base, exactly one confirms its criterion', () => {
  expect(Array.from({ length: FALLS }, (_, fall) => fall).filter(isConfirmed)).toHaveLength(1);
});

test.each([1, 2, 3])('of 1,000 tests that flip a coin, at most 3 are confirmed (seed %i)', seed => {
  const falls = fc.sample(fc.noBias(fc.nat(FALLS - 1)), { numRuns: 1000, seed });
  const confirmed = falls.filter(isConfirmed).length;
  expect(confirmed).toBeLessThanOrEqual(3);
});
