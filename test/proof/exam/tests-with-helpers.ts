/** Fixtures: a test that leaves its assertions to a helper, and two such helpers. */
export const CHECK = `import assert from 'node:assert';
export function check(limit, cases) {
  for (const [value, limited] of cases) assert.equal(limit(value), limited);
}
`;
export const THROWS = `export function check(limit, cases) {
  for (const [value, limited] of cases) if (limit(value) !== limited) throw new Error('wrong');
}
`;
export const TEST = `import test from 'node:test';
import { limit } from '../limit.mjs';
import { check } from './check.mjs';
test('AC-1: large numbers are limited', () => check(limit, [[300, 100], [101, 100]]));
`;
