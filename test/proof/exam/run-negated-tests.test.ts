/** The reports are those of tape 5.10 and AVA 7 for these tests, without stacks and details. */
import { expect, test } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { runNegatedTests } from '../../../src/proof/exam/negation/run-negated-tests.ts';
import { readTests } from '../../../src/proof/read-reported-tests.ts';
import { caseResultsOf } from '../../../src/proof/test-cases-from-report.ts';
import { project } from '../sealed-project.ts';
import { testFile } from './test-file.ts';

const casesIn = (stdout: string): TestCases => ({
  tree: '',
  tests_tree: '',
  side: 'head',
  machine: 'pass',
  ended: true,
  cases: caseResultsOf(readTests({ stdout, stderr: '', files: [] }, [])),
});

/** Outcomes by id, with the reports on the result and with negated assertions; and the negated test. */
async function outcomes(text: string, head: string, negated: string, candidates?: readonly string[]) {
  const { job } = await project({ 'limit.mjs': 'export const limit = n => n;\n' });
  const { job: proof } = await job({}, { 'limit.test.mjs': text }, 'node limit.test.mjs');
  let ran = '';
  const found = await runNegatedTests({
    job: proof,
    files: [testFile('limit.test.mjs', text)],
    head: casesIn(head),
    candidates: candidates ?? casesIn(head).cases.map(({ id }) => id),
    jobs: 1,
    run: async ({ tests }) => {
      ran ||= tests?.get('limit.test.mjs') ?? '';
      return casesIn(negated);
    },
  });
  return { ran, found: Object.fromEntries(found) };
}

const IN_TAPE = `import test from 'tape';
import { limit } from './limit.mjs';
import { check } from './check.mjs';

test('AC-1: large numbers are limited', t => {
  t.equal(limit(300), 100);
  t.equal(limit(101), 100, 'just above');
  t.notEqual(limit(300), 300);
  t.pass('done');
  t.end();
});

test('AC-2: small numbers are kept', t => {
  t.test('AC-2: one', st => {
    st.ok(limit(1) === 1, 'one');
    st.throws(() => limit(Symbol('one')));
    st.end();
  });
  t.test('AC-3: two', st => check(st, limit(2)));
});
`;
const TAPE_HEAD = `TAP version 13
# AC-1: large numbers are limited
ok 1 should be strictly equal
ok 2 just above
ok 3 should not be strictly equal
ok 4 done
# AC-2: small numbers are kept
# AC-2: one
ok 5 one
ok 6 should throw
# AC-3: two
ok 7 two

1..7
# tests 7
# pass  7

# ok
`;
const TAPE_NEGATED = `TAP version 13
# AC-1: large numbers are limited
not ok 1 should not be strictly equal
  ---
    operator: notEqual
    expected: 100
    actual:   100
  ...
not ok 2 just above
  ---
    operator: notEqual
    expected: 100
    actual:   100
  ...
not ok 3 should be strictly equal
  ---
    operator: equal
    expected: 300
    actual:   100
  ...
ok 4 done
# AC-2: small numbers are kept
# AC-2: one
not ok 5 one
  ---
    operator: notOk
    expected: false
    actual:   true
  ...
not ok 6 should not throw
  ---
    operator: throws
    expected: |-
      undefined
    actual: |-
      [TypeError: Cannot convert a Symbol value to a number]
  ...
# AC-3: two
ok 7 two

1..7
# tests 7
# pass  2
# fail  5
`;

const tapeOutcomes = (outcome: string) => ({
  'AC-1: large numbers are limited > should be strictly equal': outcome,
  'AC-1: large numbers are limited > just above': outcome,
  'AC-1: large numbers are limited > should not be strictly equal': outcome,
  'AC-1: large numbers are limited > done': outcome,
  'AC-2: one > one': outcome,
  'AC-2: one > should throw': outcome,
});

test('a tape test fails if one of its negated assertions fails, whatever the messages', async () => {
  const { ran, found } = await outcomes(IN_TAPE, TAPE_HEAD, TAPE_NEGATED);
  expect(ran).toContain("st.notOk(limit(1) === 1, 'one');\n    st.doesNotThrow(");
  expect(found).toEqual({ ...tapeOutcomes('assert'), 'AC-3: two > two': 'unrecognized' });
});

test('a tape test passes if the result disables the assertions', async () => {
  const disabled = TAPE_NEGATED.replace(/^not ok/gm, 'ok').replace(/^ {2}---[\s\S]*?\.\.\.\n/gm, '');
  const { found } = await outcomes(IN_TAPE, TAPE_HEAD, disabled);
  expect(found).toEqual({ ...tapeOutcomes('pass'), 'AC-3: two > two': 'unrecognized' });
});

test('a subtest of another runner is not mistaken for a tape assertion', async () => {
  const text = `import test from 'node:test';
test('AC-1: a', t => { t.assert.equal(1, 1); t.test(name, check); });
`;
  const report = (not: string) =>
    `TAP version 13\n# Subtest: AC-1: a\n    # Subtest: other\n    ok 1 - other\n    1..1\n${not}ok 1 - AC-1: a\n1..1\n`;
  const { found } = await outcomes(text, report(''), report('not '));
  expect(found).toEqual({ 'AC-1: a > other': 'unrecognized' });
});

test('an AVA test fails if one of its negated assertions fails', async () => {
  const text = `import test from 'ava';
import { limit } from './limit.mjs';
test('AC-1: is', t => { t.is(limit(300), 100); });
test('AC-2: throws', t => {
  const error = t.throws(() => limit(Symbol('a')), { instanceOf: TypeError });
  t.regex(error.message, /Symbol/);
});
test('AC-3: snapshot', t => { t.snapshot(limit(1)); });
`;
  const head = `TAP version 13
ok 1 - AC-1: is
ok 2 - AC-2: throws
ok 3 - AC-3: snapshot

1..3
# tests 3
# pass 3
# fail 0
`;
  const failed = (name: string, assertion: string) =>
    `${name}\n  ---\n    name: AssertionError\n    assertion: ${assertion}\n    message: ''\n  ...`;
  const negated = head
    .replace('ok 1 - AC-1: is', failed('not ok 1 - AC-1: is', 't.not()'))
    .replace('ok 2 - AC-2: throws', failed('not ok 2 - AC-2: throws', 't.notThrows()'));
  const { ran, found } = await outcomes(text, head, negated);
  expect(ran).toContain("t.notThrows(() => limit(Symbol('a')));");
  expect(found).toEqual({
    'AC-1: is': 'assert',
    'AC-2: throws': 'assert',
    'AC-3: snapshot': 'unrecognized',
  });
});

test.each([
  ['another assertion fails', [true, true, false, false], 'error'],
  ['nothing makes the test fail', [true, true, true, false], 'unrecognized'],
  ['the test passes even if its file cannot be loaded', [true, true, true, true], 'pass'],
  ['the test reaches an assertion that does not fail', [true, false, false], 'pass'],
  ['an assertion fails', [false], 'error'],
])(
  'if a test does not reach its altered assertion, other versions of the test determine its outcome: %s',
  async (_, passed, expected) => {
    const { job } = await project({ 'a.mjs': 'export const a = 1;\n' });
    const text = "test('AC-1: a', () => { if (b) assert.equal(a, 2); else assert.throws(f); });\n";
    const { job: proof } = await job({}, { 'a.test.mjs': text }, 'node a.test.mjs');
    const report = (isPassed: boolean) =>
      casesIn(`TAP version 13\n${isPassed ? '' : 'not '}ok 1 - AC-1: a\n1..1\n`);
    const results = passed.map(report);
    const found = await runNegatedTests({
      job: proof,
      files: [testFile('a.test.mjs', text)],
      head: report(true),
      candidates: ['AC-1: a'],
      jobs: 1,
      run: async () => results.shift()!,
    });
    expect(found.get('AC-1: a')).toBe(expected);
    expect(results).toEqual([]);
  },
);

const SHARED = `import { test } from 'node:test';
const check = value => assert.ok(value);
test('AC-1: a', () => { assert.equal(limit(1), 1); });
test('AC-2: b', () => { assert.equal(limit(2), 2); check(1); });
test(title, () => { assert.equal(limit(3), 3); });
`;
const SHARED_HEAD = `TAP version 13
ok 1 - AC-1: a
ok 2 - AC-2: b
ok 3 - AC-3: c
1..3
`;

test('assertions of tests that prove nothing anyway are not negated, but those in helpers are', async () => {
  const { ran, found } = await outcomes(SHARED, SHARED_HEAD, 'TAP version 13\nnot ok 1 - AC-1: a\n', [
    'AC-1: a',
  ]);
  expect(ran).toContain('assert.equal(limit(2), 2);');
  expect(ran).not.toContain('assert.ok(value)');
  expect(ran).not.toContain('assert.equal(limit(1), 1)');
  expect(ran).not.toContain('assert.equal(limit(3), 3)');
  expect(found).toEqual({ 'AC-1: a': 'error' });
});

test('if the title of a test is not found in the files, the assertions of all tests are negated', async () => {
  const { ran } = await outcomes(SHARED, SHARED_HEAD, SHARED_HEAD, ['AC-1: a', 'AC-3: c']);
  expect(ran).not.toContain('assert.equal(limit(2), 2)');
});

test.each([
  ['is not reported', 'TAP version 13\nok 2 - AC-2: b\n', 'missing'],
  [
    'is in a file that cannot be loaded',
    'TAP version 13\nnot ok 1 - limit.test.mjs\n  ---\n  error: "SyntaxError"\n  ...\n1..1\n',
    'load',
  ],
])('a test that %s with its assertions negated does not count as passed', async (_, negated, expected) => {
  const { found } = await outcomes(SHARED, SHARED_HEAD, negated, ['AC-1: a']);
  expect(found).toEqual({ 'AC-1: a': expected });
});
