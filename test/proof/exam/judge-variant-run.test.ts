import { expect, test } from 'vitest';
import { errorsIn, isEvidence } from '../../../src/proof/exam/variants/failures-as-evidence.ts';

const isSame = (line: string) => isEvidence({ test: 'a', failure: 'error', line }, new Map([['a', line]]));

test.each([
  "TypeError: Cannot read properties of undefined (reading 'length')",
  "AttributeError: 'NoneType' object has no attribute 'strip'",
  'ValueError: not a number',
  'TypeError: value is not iterable',
])('the same error as on base is evidence: %s', line => {
  expect(isSame(line)).toBe(true);
});

test.each([
  "TypeError: wrap() got an unexpected keyword argument 'indent'",
  'TypeError: wrap() takes 1 positional argument but 2 were given',
  "TypeError: wrap() missing 1 required positional argument: 'width'",
  "AttributeError: module 'text' has no attribute 'indented'",
  "NameError: name 'indented' is not defined",
  'TypeError: styles.short is not a function',
  'ReferenceError: short is not defined',
  "AttributeError: <module 'a' from 'a.py'> does not have the attribute 'short'",
  "The argument 'methodName' must be a method. Received undefined",
])('an error about something that does not exist yet is not evidence: %s', line => {
  expect(isSame(line)).toBe(false);
});

test('a timeout is evidence if the test waits for something that never happens on base, but not if it only hangs', () => {
  const line = 'Promise resolution is still pending but the event loop has already resolved';
  const errors = errorsIn({ cases: [{ id: 'a', outcome: 'fail', failure: 'timeout', line }] });
  expect(isEvidence({ test: 'a', failure: 'timeout', line }, errors)).toBe(true);
  expect(isEvidence({ test: 'b', failure: 'timeout', line }, errors)).toBe(false);
  expect(isEvidence({ test: 'a', failure: 'timeout' }, errors)).toBe(false);
});

test.each([
  ['t.py > T > test_a', 'TypeError: test_a.<locals>.f() takes 1 positional argument but 2 were given', true],
  [
    't.py > test_a[1-b]',
    "TypeError: T.test_a.<locals>.f() missing 1 required keyword-only argument: 'b'",
    true,
  ],
  ['t.py > test_b', 'TypeError: test_a.<locals>.f() takes 1 positional argument but 2 were given', false],
  ['t.py > test_a', 'TypeError: new.<locals>.f() takes 1 positional argument but 2 were given', false],
  ['t.py > test_a', 'TypeError: f() takes 1 positional argument but 2 were given', false],
])(
  'an error in a call to a function is evidence only if the test defines that function: %s, %s: %j',
  (id, line, counts) => {
    expect(isEvidence({ test: id, failure: 'error', line }, new Map([[id, line]]))).toBe(counts);
  },
);
