import { expect, test } from 'vitest';
import { testsWithoutBodies } from '../../../src/proof/exam/syntax/remove-test-bodies-and-helpers.ts';
import { testFile } from './test-file.ts';

test('only imports, groups and tests are kept, and the bodies of the tests are emptied', () => {
  const text = `import { test } from 'node:test';
const assert = require('node:assert'), { sum } = await import('../sum.js');
const source = readFileSync('sum.js', 'utf8');
const [, body] = /sum(.*)/.exec(source);
await test('AC-1: adds', async t => {
  assert.match(body, /a/);
});
describe('a group', () => {
  const made = sum();
  it.skip(\`AC-2: subtracts\`, { timeout: 5 }, function () {
    assert.equal(made, 1);
  });
});
for (const n of [1]) test(n + ' in a loop', () => {});
`;
  expect(
    testsWithoutBodies([testFile('a.test.js', text)]).get('a.test.js'),
  ).toBe(`import { test } from 'node:test';
const assert = require('node:assert'), { sum } = await import('../sum.js');
test('AC-1: adds', () => {

});
describe('a group', () => {
it.skip(\`AC-2: subtracts\`, () => {

});
});`);
});
