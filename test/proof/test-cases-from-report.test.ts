import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestCases } from '../../src/formats/test-cases.ts';
import { readTests } from '../../src/proof/read-reported-tests.ts';
import { caseResultsOf, distinguished, limited } from '../../src/proof/test-cases-from-report.ts';

const folder = new URL('captured-failures/', import.meta.url);
const resultsIn = (text: string) =>
  caseResultsOf(readTests({ stdout: text, stderr: '', files: [] }, ['/project']));

/** `t.Fail` and `t.FailNow` print no message. */
const SILENT = {
  'example.com/g/silent::TestAC1Fail': 'assert',
  'example.com/g/silent::TestAC2Sub': 'assert',
  'example.com/g/silent::TestAC2Sub/one': 'assert',
};

const supertest = (prefix: string): Record<string, string> => ({
  ...Object.fromEntries(
    [
      '1: status',
      '2: one of',
      '3: header',
      '4: pattern',
      '5: missing',
      '6: body',
      '7: body pattern',
      '8: json',
    ].map(title => [`${prefix}AC-${title}`, 'assert']),
  ),
  [`${prefix}AC-9: own`]: 'error',
  [`${prefix}AC-10: throws`]: 'error',
});

/** Keyed by report: the id of every test with its outcome or, if it failed, how it failed. */
const EXPECTED: Record<string, Record<string, string>> = {
  'ava-tap-assert': {
    'AC-7: skipped': 'skip',
    'AC-6: later': 'todo',
    'AC-1: refuses': 'assert',
    'AC-2: lists': 'assert',
    'AC-3: throws': 'error',
    'AC-4: is thrown': 'assert',
    'AC-5: allows': 'pass',
    'AC-8: no throw': 'assert',
  },
  'ava-tap-kinds': {
    'AC-2: node': 'assert',
    'AC-3: nothing': 'error',
    'AC-4: plan': 'assert',
    'AC-5: no error': 'error',
    'AC-7: fails': 'assert',
    'AC-1: rejects': 'error',
    'AC-6: promise': 'assert',
  },
  'ava-tap-load': {
    'file://av/claims.test.js:2': 'error',
    'claims.test.js': 'load',
  },
  'jest24-json-assert': {
    'j/assert.test.js::limit > AC-1: refuses': 'assert',
    'j/assert.test.js::limit > AC-2: rejects': 'assert',
    'j/assert.test.js::limit > AC-3: throws': 'error',
    'j/assert.test.js::limit > AC-4: node': 'assert',
    'j/assert.test.js::limit > AC-5: not': 'error',
  },
  'jest-json-supertest': supertest('su/supertest.test.cjs::'),
  'mocha-json-supertest': supertest('su/supertest.test.cjs::'),
  'node20-junit-supertest': supertest(''),
  'node20-tap-supertest': supertest(''),
  'vitest-json-supertest': supertest('su/vt.test.mjs::'),
  'mocha-json-chai': {
    'mo/chai.spec.js::limit AC-1: refuses': 'assert',
    'mo/chai.spec.js::limit AC-2: lists': 'assert',
    'mo/chai.spec.js::limit AC-3: throws': 'error',
  },
  'mocha-xunit-chai': {
    'mo/chai.spec.js::Mocha Tests > limit > AC-1: refuses': 'assert',
    'mo/chai.spec.js::Mocha Tests > limit > AC-2: lists': 'assert',
    'mo/chai.spec.js::Mocha Tests > limit > AC-3: throws': 'error',
  },
  'mocha-tap-kinds': {
    'AC-1: refuses': 'assert',
    'AC-2: throws': 'error',
    'AC-3: passes': 'pass',
    'AC-4: imitates an assertion': 'error',
    'AC-5: never ends': 'timeout',
  },
  'node-tap-assert': {
    'AC-1: refuses > status': 'assert',
    'AC-2: same > should be equivalent': 'assert',
    'AC-2: same > expect truthy value': 'assert',
    'AC-3: throws': 'error',
    'AC-4: thrown > expected to throw': 'assert',
    'AC-4: thrown > should match pattern provided': 'assert',
    'AC-5: node': 'assert',
  },
  'node-tap-kinds': {
    'AC-1: fail > no': 'assert',
    'AC-1: fail > err': 'error',
    'AC-2: plan > expect truthy value': 'pass',
    'AC-2: plan': 'error',
    'AC-3: rejects': 'error',
    'AC-5: type > type is string': 'assert',
    'AC-5: type > expect falsey value': 'assert',
    'AC-5: type > should not be equal': 'assert',
    'AC-5: type > expected to throw': 'assert',
    'AC-6: rejects > expect rejected Promise': 'assert',
    'AC-6: rejects > expect resolving Promise': 'assert',
    'AC-6: rejects > should contain all provided fields strictly': 'assert',
    'AC-6: rejects > should be equivalent strictly': 'assert',
    'AC-7: end twice > expect truthy value': 'pass',
    'AC-4: slow > timeout!': 'error',
    'test after end() was called': 'error',
  },
  'vitest0-json-assert': {
    'v/assert.test.js::limit > AC-1: refuses': 'assert',
    'v/assert.test.js::limit > AC-2: rejects': 'assert',
    'v/assert.test.js::limit > AC-3: throws': 'assert',
    'v/assert.test.js::limit > AC-4: node': 'assert',
    'v/assert.test.js::limit > AC-5: calls': 'error',
  },
  'cargo-assert': {
    'tests/assert.rs::ac2_allows': 'pass',
    'tests/assert.rs::ac5_later': 'skip',
    'tests/assert.rs::ac3_plain': 'assert',
    'tests/assert.rs::ac4_calls': 'error',
    'tests/assert.rs::ac6_look_alike': 'error',
    'tests/assert.rs::ac1_refuses': 'assert',
  },
  'go-json-bad': { 'example.com/g/bad': 'load' },
  'go-json-background': {
    'example.org/sums::TestFirst': 'pass',
    'example.org/sums::TestBackground': 'error',
  },
  'go-verbose-background': {
    'example.org/sums::TestFirst': 'pass',
    'example.org/sums::TestBackground': 'error',
  },
  'go-json-boom': { 'example.com/g/boom::TestAC1Calls': 'error' },
  'go-json-boomsub': {
    'example.com/g/boomsub::TestAC1Fail': 'assert',
    'example.com/g/boomsub::TestAC2Sub/one': 'error',
    'example.com/g/boomsub::TestAC2Sub': 'error',
  },
  'go-json-ok': {
    'example.com/g/ok::TestAC2Allows': 'pass',
    'example.com/g/ok::TestAC3Later': 'skip',
    'example.com/g/ok::TestAC1Refuses': 'assert',
    'example.com/g/ok::TestAC4Sub/zero': 'assert',
    'example.com/g/ok::TestAC4Sub': 'assert',
  },
  'go-plain-boom': { 'example.com/g/boom::TestAC1Calls': 'error' },
  'go-plain-ok': {
    'example.com/g/ok::TestAC1Refuses': 'assert',
    'example.com/g/ok::TestAC4Sub': 'assert',
    'example.com/g/ok::TestAC4Sub/zero': 'assert',
  },
  'go-verbose-boom': { 'example.com/g/boom::TestAC1Calls': 'error' },
  'go-verbose-ok': {
    'example.com/g/ok::TestAC1Refuses': 'assert',
    'example.com/g/ok::TestAC2Allows': 'pass',
    'example.com/g/ok::TestAC3Later': 'skip',
    'example.com/g/ok::TestAC4Sub': 'assert',
    'example.com/g/ok::TestAC4Sub/one': 'pass',
    'example.com/g/ok::TestAC4Sub/zero': 'assert',
  },
  'go-json-silent': SILENT,
  'go-plain-silent': SILENT,
  'go-verbose-silent': SILENT,
  'go-json-timeout': { 'example.com/g/slow': 'error' },
  'jest-json-assert': {
    'jt/assert.test.js::limit > AC-2: allows the 60th': 'pass',
    'jt/assert.test.js::limit > AC-1: refuses the 61st': 'assert',
  },
  'jest-json-hook': { 'jt/hook.test.js::limit > AC-1: a': 'error' },
  'jest-json-load': { 'jt/load.test.js': 'load' },
  'jest-json-node-assert': { 'jt/node-assert.test.js::AC-1: a': 'assert' },
  'jest-json-timeout': { 'jt/timeout.test.js::AC-1: waits': 'error' },
  'jest-json-todo': {
    'jt/todo.test.js::AC-3: runs': 'pass',
    'jt/todo.test.js::AC-1: skipped': 'skip',
    'jt/todo.test.js::AC-2: later': 'todo',
  },
  'jest-json-type': { 'jt/type.test.js::AC-1: calls it': 'error' },
  'mocha-json-assert': {
    'mo/assert.spec.js::limit AC-2: allows': 'pass',
    'mo/assert.spec.js::limit AC-1: refuses': 'assert',
  },
  'mocha-json-hook': { 'mo/hook.spec.js::limit "before all" hook for "AC-1: a"': 'error' },
  'mocha-json-timeout': { 'mo/timeout.spec.js::AC-1: waits': 'timeout' },
  'mocha-json-todo': {
    'mo/todo.spec.js::AC-3: runs': 'pass',
    'mo/todo.spec.js::AC-1: later': 'skip',
    'mo/todo.spec.js::AC-2: skipped': 'skip',
  },
  'mocha-json-type': { 'mo/type.spec.js::AC-1: calls it': 'error' },
  'node20-junit-assert': { 'AC-2: allows': 'pass', 'AC-1: refuses': 'assert' },
  'node20-junit-cancelled': { 'AC-1: never ends': 'timeout' },
  'node20-junit-exits': { 'nt/exits.test.mjs': 'load' },
  'node20-junit-hook': {},
  'node20-junit-load': { 'nt/load.test.mjs': 'load' },
  'node20-junit-thrown': { 'AC-1: a look-alike': 'error' },
  'node20-junit-timeout': { 'AC-1: waits': 'timeout' },
  'node20-junit-todo': { 'AC-3: runs': 'pass', 'AC-1: skipped': 'skip', 'AC-2: later': 'todo' },
  'node20-junit-type': { 'AC-1: calls it': 'error' },
  'node20-tap-assert': { 'AC-2: allows': 'pass', 'AC-1: refuses': 'assert' },
  'node20-tap-cancelled': { 'AC-1: never ends': 'timeout' },
  'node20-tap-exits': { 'nt/exits.test.mjs': 'load' },
  'node20-tap-hook': {},
  'node20-tap-load': { 'nt/load.test.mjs': 'load' },
  'node20-tap-thrown': { 'AC-1: a look-alike': 'error' },
  'node20-tap-timeout': { 'AC-1: waits': 'timeout' },
  'node20-tap-todo': { 'AC-3: runs': 'pass', 'AC-1: skipped': 'skip', 'AC-2: later': 'todo' },
  'node20-tap-type': { 'AC-1: calls it': 'error' },
  'pytest-junit-assert': {
    'pytest > py.test_assert > test_ac2_allows': 'pass',
    'pytest > py.test_assert > test_ac1_refuses': 'assert',
  },
  'pytest-junit-fixture': { 'pytest > py.test_fixture > test_ac1_a': 'error' },
  'pytest-junit-load': { 'pytest > py.test_load': 'load' },
  'pytest-junit-message': { 'pytest > py.test_message > test_ac1_refuses': 'assert' },
  'pytest-junit-raises': { 'pytest > py.test_raises > test_ac1_a': 'assert' },
  'pytest-junit-skip': {
    'pytest > py.test_skip > test_ac3_a': 'pass',
    'pytest > py.test_skip > test_ac1_a': 'skip',
    'pytest > py.test_skip > test_ac2_a': 'skip',
  },
  'pytest-junit-syntax': { 'pytest > py.test_syntax': 'load' },
  'pytest-junit-type': { 'pytest > py.test_type > test_ac1_calls': 'error' },
  'pytest-junit-unit': { 'pytest > py.test_unit.Limit > test_ac1_a': 'assert' },
  'tape-tap-assert': { 'AC-2: allows > status': 'pass', 'AC-1: refuses > status': 'assert' },
  'tape-tap-error': { 'AC-1: no error > TypeError: wrong': 'error' },
  'tape-tap-throws': {},
  'pytest9-junit-subtests': {
    'pytest > test_a > test_fix': 'pass',
    'pytest > test_a > test_fixbad': 'assert',
    'pytest > test_a.T > test_ac1_sub': 'pass',
    'pytest > test_a.T > test_bad': 'assert',
  },
  'unittest-verbose': {
    'setUpClass (test_a.S)': 'error',
    'test_b (unittest.loader._FailedTest.test_b)': 'load',
    'test_error (test_a.T.test_error)': 'error',
    'test_fail (test_a.T.test_fail)': 'assert',
    'test_ok (test_a.T.test_ok)': 'pass',
    'test_plain (test_a.T.test_plain)': 'assert',
    'test_print (test_a.T.test_print)': 'assert',
    'test_skip (test_a.T.test_skip)': 'skip',
    'test_sub (test_a.T.test_sub)': 'assert',
    'test_u (test_a.T.test_u)': 'error',
    'test_x (test_a.T.test_x)': 'skip',
  },
  'vitest-json-assert': {
    'vt/assert.test.js::limit > AC-2: allows the 60th': 'pass',
    'vt/assert.test.js::limit > AC-1: refuses the 61st': 'assert',
  },
  'vitest-json-hook': { 'vt/hook.test.js::limit > AC-1: a': 'skip', 'vt/hook.test.js': 'error' },
  'vitest-json-load': { 'vt/load.test.js': 'load' },
  'vitest-json-node-assert': { 'vt/node-assert.test.js::AC-1: a': 'assert' },
  'vitest-json-snapshot': { 'vt/snapshot.test.js::AC-1: renders': 'assert' },
  'vitest-json-syntax': { 'vt/syntax.test.js': 'load' },
  'vitest-json-timeout': { 'vt/timeout.test.js::AC-1: waits': 'error' },
  'vitest-json-todo': {
    'vt/todo.test.js::AC-3: runs': 'pass',
    'vt/todo.test.js::AC-1: skipped': 'skip',
    'vt/todo.test.js::AC-2: later': 'todo',
  },
  'vitest-json-type': { 'vt/type.test.js::AC-1: calls it': 'error' },
  'vitest-junit-assert': {
    'vt/assert.test.js > limit > AC-2: allows the 60th': 'pass',
    'vt/assert.test.js > limit > AC-1: refuses the 61st': 'assert',
  },
  'vitest-junit-load': { 'vt/load.test.js': 'load' },
  'vitest-junit-snapshot': { 'vt/snapshot.test.js > AC-1: renders': 'assert' },
  'vitest-junit-timeout': { 'vt/timeout.test.js > AC-1: waits': 'error' },
  'vitest-junit-todo': {
    'vt/todo.test.js > AC-3: runs': 'pass',
    'vt/todo.test.js > AC-1: skipped': 'skip',
    'vt/todo.test.js > AC-2: later': 'skip',
  },
  'vitest-junit-type': { 'vt/type.test.js > AC-1: calls it': 'error' },
  'vitest-tap-assert': {
    'vt/assert.test.js > limit > AC-2: allows the 60th': 'pass',
    'vt/assert.test.js > limit > AC-1: refuses the 61st': 'assert',
  },
  'vitest-tap-load': { 'vt/load.test.js': 'load' },
  'vitest-tap-snapshot': { 'vt/snapshot.test.js > AC-1: renders': 'assert' },
  'vitest-tap-type': { 'vt/type.test.js > AC-1: calls it': 'error' },
};

describe('the cases of a report', () => {
  it.each(Object.entries(EXPECTED))(
    'are read from %s, with their ids and kinds of failure',
    (name, expected) => {
      const results = resultsIn(readFileSync(new URL(`${name}.txt`, folder), 'utf8'));
      expect(Object.fromEntries(results.map(({ id, outcome, failure }) => [id, failure ?? outcome]))).toEqual(
        expected,
      );
    },
  );

  it('are listed in this file for every recorded report', () => {
    const recorded = readdirSync(folder).map(file => file.replace(/\.txt$/, ''));
    expect(recorded.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it('include the first line of a failure', () => {
    const text = readFileSync(new URL('pytest-junit-message.txt', folder), 'utf8');
    expect(resultsIn(text)[0]).toMatchObject({ failure: 'assert', line: 'AssertionError: status' });
  });

  it("are failed assertions, whatever the library, if Node's TAP contains their operator and values", () => {
    const tap = (fields: string) =>
      `TAP version 13\n# Subtest: a\nnot ok 1 - a\n  ---\n  failureType: 'testCodeFailure'\n  error: 'x'\n  code: 'ERR_TEST_FAILURE'\n  name: 'Other'\n${fields}  ...\n1..1\n`;
    const values = '  expected: 1\n  actual: 2\n';
    expect(resultsIn(tap(`${values}  operator: 'is'\n`))).toMatchObject([{ id: 'a', failure: 'assert' }]);
    expect(resultsIn(tap(values))).toMatchObject([{ id: 'a', failure: 'error' }]);
  });

  it('do not mark a test file as failed to load if its script may have run before it failed', () => {
    const tap = (more: string) =>
      `TAP version 13\n${more}not ok 2 - a.test.mjs\n  ---\n  failureType: 'testCodeFailure'\n  error: 'test failed'\n  ...\n1..2\n`;
    expect(resultsIn(tap('not ok 1 - b.test.mjs\n'))).toMatchObject([
      { failure: 'load' },
      { failure: 'load' },
    ]);
    // node does not name the file of the first test, so that test may be from the script that failed.
    expect(resultsIn(tap('ok 1 - adds\n'))).toMatchObject([
      { id: 'adds', outcome: 'pass' },
      { id: 'a.test.mjs', failure: 'error' },
    ]);
  });

  it('include a unittest test with a docstring if only its subtests failed', () => {
    const [name, line] = ['test_a (t.T.test_a)', 'What it checks.'];
    const text = `${name}\n${line} ... \n  ${name} (n=1)\n${line} ... FAIL\n\n${'='.repeat(70)}\nFAIL: ${name} (n=1)\n${line}\n${'-'.repeat(70)}\nTraceback (most recent call last):\n  File "t.py", line 6, in test_a\n    self.assertEqual(1, 0)\nAssertionError: 1 != 0\n\n${'-'.repeat(70)}\nRan 1 test in 0.001s\n\nFAILED (failures=1)\n`;
    expect(resultsIn(text)).toMatchObject([{ id: name, outcome: 'fail', failure: 'assert' }]);
  });

  it('treat a data race as an error, not as a failed assertion', () => {
    const text =
      '--- FAIL: TestA (0.00s)\n    testing.go:1319: race detected during execution of test\nFAIL\nFAIL\tg\t0.1s\n';
    expect(resultsIn(text)).toMatchObject([{ id: 'g::TestA', failure: 'error' }]);
  });

  it('are truncated when the file would exceed 4 MB', () => {
    const cases = Array.from({ length: 30_000 }, (_, n) => ({
      id: `${n} ${'x'.repeat(200)}`,
      outcome: 'pass' as const,
    }));
    const all: TestCases = { tree: 't', tests_tree: 'u', side: 'head', machine: 'pass', ended: true, cases };
    const written = limited(all);
    const size = JSON.stringify(written, null, 2).length;
    expect([written.cut, size > 3_800_000, size <= 4_000_000]).toEqual([true, true, true]);
    expect(limited({ ...all, cases: cases.slice(0, 10) }).cut).toBeUndefined();
  });
});

it('tests that share a name are left out if not all of them were reported', () => {
  const cases = (...ids: string[]) => ({ cases: ids.map(id => ({ id, outcome: 'pass' as const })) });
  const head = cases('a', 'a #2', 'b', 'c #7');
  expect(distinguished(head, head)).toEqual(head);
  expect(distinguished(cases('a', 'b', 'c #7'), head)).toEqual(cases('b', 'c #7'));
  expect(distinguished(cases('a', 'a #2', 'b', 'b #2', 'new'), head)).toEqual(cases('a', 'a #2', 'new'));
});
