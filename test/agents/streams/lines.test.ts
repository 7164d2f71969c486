import { expect, test } from 'vitest';
import { splitLines } from '../../../src/agents/streams/split-lines.ts';
import fc from '../../helpers/fast-check-seed.ts';

test('lines are the same no matter how the stream is split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n') })), chunks => {
      const split = splitLines(1000);
      const whole = [...chunks.flatMap(chunk => split.push(chunk)), ...split.remainder()];
      const expected = chunks.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(whole).toEqual(expected);
    }),
  );
});

test('a line without an end is truncated at the limit, and the next one is complete', () => {
  const split = splitLines(10);
  for (let i = 0; i < 1000; i += 1) expect(split.push('x'.repeat(100))).toEqual([]);
  expect(split.push('\nnext\n')).toEqual(['x'.repeat(10), 'next']);
  expect(split.remainder()).toEqual([]);
});
