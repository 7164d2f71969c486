import { expect, it } from 'vitest';
import { parseSpan } from '../../src/terminal/parse-duration.ts';

it('parses a number and a unit', () => {
  expect(['90m', '12h', '30d', '2w'].map(parseSpan)).toEqual([
    5_400_000, 43_200_000, 2_592_000_000, 1_209_600_000,
  ]);
  expect(['30', 'd', '-1d', '1y', '1.5d', ''].map(parseSpan)).toEqual(Array(6).fill(null));
});
