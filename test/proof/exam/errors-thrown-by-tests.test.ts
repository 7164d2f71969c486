import { expect, test } from 'vitest';
import { withThrownErrorsAsAssertions } from '../../../src/proof/exam/variants/errors-thrown-by-tests.ts';
import { testFile } from './test-file.ts';

const kindOf = (path: string, text: string, line: string) =>
  withThrownErrorsAsAssertions([testFile(path, text)])({
    cases: [{ id: 'a', outcome: 'fail', failure: 'error', line }],
  } as never).cases[0]?.failure;

test.each([
  [`throw new Error(\`expected \${a}, got \${b.c({ d })}\`);`, 'expected 1, got 2'],
  [`throw new Error(\`expected \${a}, got \${b}\`);`, 'Error: expected 1, got 2'],
  ["throw new Error('expected ' + a + ', got ' + b);", 'expected 1, got 2'],
  ["done(new TypeError('not 3'));", 'TypeError [ERR_A]: not 3'],
  [`throw new Error(\`\${a} !== \${b}\`);`, '1 !== 2'],
  ["throw Error('it\\'s ' + a);", "it's 1"],
  ["throw new Error('two lines:\\n' + a);", 'two lines:'],
])('an error whose message is in the test file counts as a failed assertion: %s', (code, line) => {
  expect(kindOf('a.mjs', code, line)).toBe('assert');
});

test.each([
  ['raise ValueError(f\'expected {a!r}, got {b["c"]}\')', "ValueError: expected 'x', got 2"],
  ["raise Exception('expected %s, got %d' % (a, b))", 'Exception: expected 1, got 2'],
  ["raise Exception('expected '\n  f'{a}')", 'Exception: expected 1'],
  ['raise own.CheckError("""not equal""")', 'tests.own.CheckError: not equal'],
])('an exception whose message is in the test file counts as a failed assertion: %s', (code, line) => {
  expect(kindOf('test_a.py', code, line)).toBe('assert');
});

test.each([
  [`throw new Error(\`expected \${a}, got \${b}\`);`, "Cannot read properties of undefined (reading 'c')"],
  ["throw new Error('wrong');", 'something is wrong'],
  [`throw new Error(\`\${a}: \${b}\`);`, 'TypeError: a is not a function'],
  ['throw new Error(message);', 'a is not a function'],
  ["log('a is not a function');", 'a is not a function'],
])('any other error stays an error: %s', (code, line) => {
  expect(kindOf('a.mjs', code, line)).toBe('error');
});
