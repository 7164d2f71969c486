import assert from 'node:assert';
import { expect, test } from 'vitest';
import { failureKindOf, failureOf } from '../../src/proof/failure-kind.ts';

function boom(): never {
  throw new TypeError('boom is not a function');
}

const messageOf = (check: () => void): string => {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

const JEST =
  'Error: expect(received).not.toThrow()\n\nError name:    "TypeError"\nError message: "boom is not a function"\n\n  3 | a';

test.each([
  ['node:assert', messageOf(() => assert.doesNotThrow(boom)), 'boom is not a function'],
  [
    'node:assert with a message',
    messageOf(() => assert.doesNotThrow(boom, 'works')),
    'boom is not a function',
  ],
  ['vitest', messageOf(() => expect(boom).not.toThrow()), 'TypeError: boom is not a function'],
  [
    'Chai',
    "expected [Function boom] to not throw an error but 'TypeError: boom is not a function' was thrown",
    'TypeError: boom is not a function',
  ],
  ['jest', JEST, 'boom is not a function'],
])('a failed does-not-throw assertion of %s counts as the error that was thrown', (_, message, line) => {
  expect(failureOf('assert', message)).toEqual({ kind: 'error', line });
});

test.each([
  ['node:assert', messageOf(() => assert.throws(() => 1))],
  ['vitest', messageOf(() => expect(() => 1).toThrow())],
  ['vitest, for another error', messageOf(() => expect(boom).toThrow('other'))],
  ['a value', messageOf(() => assert.equal('Got unwanted exception.', 1))],
])('any other failed assertion of %s still counts as a failed assertion', (_, message) => {
  expect(failureOf('assert', message).kind).toBe('assert');
});

test.each(['AssertionError', 'AssertError', 'ExpectationError'])(
  'an error of class %s is a failed assertion',
  name => {
    expect(failureKindOf({ name, message: 'a' })).toBe('assert');
    expect(failureKindOf({ name: `My${name}`, message: 'a' })).toBe('error');
  },
);
