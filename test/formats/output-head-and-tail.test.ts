/** The first and the last lines of an output, which are shown when a command fails. */
import { expect, it } from 'vitest';
import { endsOf, joinEnds, keepEnds } from '../../src/formats/text/output-head-and-tail.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`);
const gap = (lines: number) => `(${lines})`;

it('short output is kept whole, minus leading and trailing blank lines and control characters', () => {
  const kept = endsOf('\n\n\x1b[31mone\x1b[0m\r\n\ntwo  \n\n', 3);
  expect(joinEnds(kept, gap)).toBe('one\n\ntwo');
  expect(joinEnds(endsOf('', 3), gap)).toBe('');
  for (const count of [5, 6]) {
    const text = numbered(count).join('\n');
    expect(joinEnds(endsOf(text, 3), gap)).toBe(text);
  }
});

it('long output is reduced to its first and last lines and the number of lines between them', () => {
  const kept = endsOf(`${numbered(100).join('\n')}\n`, 2);
  expect(kept).toEqual({ first: 'line 1\nline 2', leftOut: 96, last: 'line 99\nline 100' });
  expect(joinEnds(kept, gap)).toBe('line 1\nline 2\n(96)\nline 99\nline 100');
});

it('lines are kept whole however the output arrives, and fewer lines are kept if they are long', () => {
  const lines = numbered(40).map(line => `${line} ${'x'.repeat(200)}`);
  const kept = keepEnds(20);
  for (const character of `${lines.join('\n')}\n`) kept.add(character);
  const { first, leftOut, last } = kept.ends();
  const shown = [...first.split('\n'), ...last.split('\n')];
  expect(lines).toEqual(expect.arrayContaining(shown));
  expect(shown.length + leftOut).toBe(40);
  expect([first.length, last.length].every(length => length > 1000 && length <= 1500)).toBe(true);
});

it('an extremely long line is shortened, and what follows it is kept', () => {
  const kept = keepEnds(20);
  for (let n = 0; n < 1000; n += 1) kept.add('y'.repeat(1000));
  kept.add('\nend');
  const { first, last } = kept.ends();
  expect(first).toMatch(/^y{499}…\nend$/);
  expect(last).toBe('');
});
