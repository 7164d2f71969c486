import { expect, test } from 'vitest';
import { parseJson } from '../../src/formats/schema/strict-json.ts';
import fc from '../helpers/fast-check-seed.ts';

type Outcome = { value: unknown } | 'refused';
const by = (parse: (text: string) => unknown, text: string): Outcome => {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused';
    throw error;
  }
};

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, of]) => [key, ...keysOf(of)])
    : [];

test('parseJson returns the same value for valid JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat(4), (text, indent) => {
      const value: unknown = JSON.parse(text);
      fc.pre(!keysOf(value).includes('__proto__'));
      expect(parseJson(text)).toEqual(value);
      expect(parseJson(JSON.stringify(value, null, indent))).toEqual(value);
    }),
    { numRuns: 1000 },
  );
});

test('parseJson refuses nothing but duplicate keys, __proto__ and what JSON.parse refuses', () => {
  const noise = fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '-',
    '.',
    'e',
    't',
    '\n',
    '\u0000',
    '\uFEFF',
    ' ',
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), noise, fc.boolean(), (text, place, char, instead) => {
      const i = place % (text.length + 1);
      const damaged = text.slice(0, i) + char + text.slice(instead ? i + 1 : i);
      const ours = by(parseJson, damaged);
      const theirs = by(JSON.parse, damaged);
      if (ours === 'refused' && theirs !== 'refused')
        expect(() => parseJson(damaged)).toThrow(/duplicate key|__proto__/);
      else expect(ours).toEqual(theirs);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  '1e400',
  '-0',
  '0.1000000000000000055511151231257827021181583404541015625',
  `${'9'.repeat(400)}`,
  '1E+2',
])('the number %s is read as JSON.parse reads it', text => {
  expect(parseJson(text)).toBe(JSON.parse(text));
  expect(parseJson(`[${text}, ${text}]`)).toEqual(JSON.parse(`[${text}, ${text}]`));
});

test.each([
  ['{"a": 1, "a": 2}', 'duplicate key a at line 1, column 13'],
  ['{"a": {"b": 1,\n  "b": 2}}', 'duplicate key b at line 2, column 6'],
  ['{"__proto__": {"admin": true}}', 'the key __proto__ is not allowed'],
  ['{"__pro\\u0074o__": 1}', 'the key __proto__ is not allowed'],
  ['{"a": 1', 'the file ends where , is expected at line 1, column 8'],
  ['{"a" 1}', 'expected : at line 1, column 6'],
  ['{a: 1}', 'expected a key in double quotes at line 1, column 2'],
  ['[1,\n2,\n]', 'expected a value at line 3, column 1'],
  ['"abc', 'the file ends inside a string'],
  ['"a\nb"', 'a string that is not valid JSON at line 1, column 1'],
  ['{} {}', 'unexpected text after the value at line 1, column 4'],
  ['', 'unexpected end of file at line 1, column 1'],
  ['// note\n{}', 'expected a value at line 1, column 1'],
  ['01', 'expected a value at line 1, column 1'],
])('%j is refused: %s', (text, said) => {
  expect(() => parseJson(text)).toThrow(said);
});

test('keys that every object inherits, such as toString, are read like any other key', () => {
  const read = parseJson('{"constructor": 1, "toString": 2, "hasOwnProperty": 3}');
  expect(read).toEqual({ constructor: 1, toString: 2, hasOwnProperty: 3 });
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

test('deep nesting is refused before the stack overflows', () => {
  expect(parseJson(`${'['.repeat(200)}${']'.repeat(200)}`)).toBeInstanceOf(Array);
  expect(() => parseJson('['.repeat(202))).toThrow('nested too deeply at line 1, column 202');
  expect(() => parseJson('{"a":'.repeat(1_000_000))).toThrow('nested too deeply');
});
