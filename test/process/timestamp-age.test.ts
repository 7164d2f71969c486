import { expect, test } from 'vitest';
import { elapsedSince } from '../../src/process/timestamp-age.ts';

test.each([
  ['an hour ago', -3_600_000, 3_600_000],
  ['a few seconds ahead, by the clock of a file server', 5000, -5000],
  ['two hours ahead, because the clock was set back', 7_200_000, Number.POSITIVE_INFINITY],
])('for a time %s (%d ms from now), elapsedSince returns %d ms', (_, ahead, elapsed) => {
  const found = elapsedSince(Date.now() + ahead);
  if (Number.isFinite(elapsed)) expect(Math.abs(found - elapsed)).toBeLessThan(1000);
  else expect(found).toBe(elapsed);
});
