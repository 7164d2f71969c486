import { expect, test } from 'vitest';
import { isEvidence } from '../../../src/proof/exam/variant-result.ts';

const isSame = (line: string) => isEvidence({ test: 'a', red: 'error', line }, new Map([['a', line]]));

test.each([
  "TypeError: Cannot read properties of undefined (reading 'length')",
  "AttributeError: 'NoneType' object has no attribute 'strip'",
  'ValueError: not a number',
  'TypeError: value is not iterable',
])('the error on base is evidence: %s', line => {
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
])('an error because something does not exist yet is not evidence: %s', line => {
  expect(isSame(line)).toBe(false);
});
