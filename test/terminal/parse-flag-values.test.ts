import { expect, it } from 'vitest';
import { spanOf } from '../../src/terminal/parse-flag-values.ts';

it('a number with a unit is parsed as a duration', () => {
  expect(['45s', '90m', '12h', '30d', '2w', '0d'].map(text => spanOf(text))).toEqual([
    45_000, 5_400_000, 43_200_000, 2_592_000_000, 1_209_600_000, 0,
  ]);
});

it.each(['30', 'd', '-1d', '1y', '1.5d', ''])('%j is not a duration', text => {
  expect(() => spanOf(text)).toThrow(expect.objectContaining({ code: 'E_SPAN' }));
});

it('a duration outside the range is refused, and the error states the range', () => {
  const limits = { min: '1s', max: '1h' };
  expect(spanOf('1h', limits)).toBe(3_600_000);
  for (const text of ['0m', '61m'])
    expect(() => spanOf(text, limits)).toThrow(
      expect.objectContaining({ code: 'E_SPAN_RANGE', suggestions: ['Use a duration between 1s and 1h.'] }),
    );
});
