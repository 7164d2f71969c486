import { expect, test } from 'vitest';
import { fillPlaceholders } from '../../../src/agents/rehearsal/fill-placeholders.ts';

test('placeholders are replaced everywhere in a value, and unknown ones are kept', () => {
  const value = { a: ['{{now}}', { b: 'in {{run}}, {{run}} {{other}}' }], n: 1, none: null };
  expect(fillPlaceholders(value, { now: 'NOW', run: 'RUN' })).toEqual({
    a: ['NOW', { b: 'in RUN, RUN {{other}}' }],
    n: 1,
    none: null,
  });
});
