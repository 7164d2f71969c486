import { expect, test } from 'vitest';
import { valueAt, withValue } from '../../src/formats/config/value-at-path.ts';

test('valueAt returns a nested setting, or undefined if it is missing', () => {
  const tree = { a: { b: null, list: [1] }, c: 'text' };
  expect(['a.b', 'a.x', 'c', 'c.length', 'a.list.0', 'x.y'].map(path => valueAt(tree, path))).toEqual([
    null,
    undefined,
    'text',
    undefined,
    undefined,
    undefined,
  ]);
});

test('withValue changes only one key of a nested object', () => {
  expect(withValue<unknown>({ a: { b: 1, c: 2 }, d: 3 }, 'a.b', 5)).toEqual({ a: { b: 5, c: 2 }, d: 3 });
  expect(withValue<unknown>({}, 'a.b', true)).toEqual({ a: { b: true } });
});

test('withValue replaces a list or a string on the path with an object', () => {
  expect(withValue<unknown>({ a: [1], b: 'x' }, 'a.b', 2)).toEqual({ a: { b: 2 }, b: 'x' });
  expect(withValue<unknown>({ a: [1], b: 'x' }, 'b.c', 2)).toEqual({ a: [1], b: { c: 2 } });
});
