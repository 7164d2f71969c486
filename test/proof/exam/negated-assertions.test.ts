/** The exam of tests whose assertions are in a helper, or whose runs with negated assertions end early. */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS } from './examine-passed-tests.ts';
import { CHECK, TEST, THROWS } from './tests-with-helpers.ts';

const UNLIMITED = 'export const limit = n => n;\n';
const LIMITED = 'export const limit = n => (n > 100 ? 100 : n);\n';
const COMMAND = 'node --test --test-reporter=tap test/limit.test.mjs';

const examinedWith = async (helper: string, text: string, result: Files = { 'limit.mjs': LIMITED }) =>
  (
    await examined(
      { 'limit.mjs': UNLIMITED, 'test/check.mjs': helper },
      result,
      { 'test/limit.test.mjs': text },
      COMMAND,
    )
  ).shown;

test.each([
  ['compares', CHECK],
  ['throws', THROWS],
])(
  'tests that leave their assertions to a helper that %s confirm a criterion',
  { timeout: LIMIT_MS },
  async (_, helper) => {
    expect(await examinedWith(helper, TEST)).toEqual({ 'AC-1': 'confirmed' });
  },
);

test('a result that disables the assertion of the helper is not confirmed', {
  timeout: LIMIT_MS,
}, async () => {
  const disabling = `import assert from 'node:assert';\nassert.equal = () => {};\nassert.notEqual = () => {};\n${LIMITED}`;
  const shown = await examinedWith(CHECK, TEST, { 'limit.mjs': disabling });
  expect(shown['AC-1']).not.toBe('confirmed');
});

test('an error thrown by a helper that sets something up is not an assertion', {
  timeout: LIMIT_MS,
}, async () => {
  const helper = `import { existsSync } from 'node:fs';
export function check() {
  if (!existsSync('limit.mjs')) throw new Error('run this in the project');
}
`;
  const text = `import test from 'node:test';
import { twice } from '../twice.mjs';
import { check } from './check.mjs';
test('AC-1: a number is doubled', () => {
  check();
  twice(2);
});
`;
  const shown = await examinedWith(helper, text, { 'twice.mjs': 'export const twice = n => 2 * n;\n' });
  expect(shown['AC-1']).not.toBe('confirmed');
});

test('tests that a negated assertion keeps from running are run by themselves', {
  timeout: LIMIT_MS,
}, async () => {
  const limits = (id: string, module: string) => `import assert from 'node:assert';
import test from 'node:test';
import { limit } from './${module}';
test('${id}: large numbers are limited', () => assert.equal(limit(300), 100));
`;
  const { shown } = await examined(
    { 'a.mjs': UNLIMITED, 'b.mjs': UNLIMITED },
    { 'a.mjs': LIMITED, 'b.mjs': LIMITED },
    { 'a.test.mjs': limits('AC-1', 'a.mjs'), 'b.test.mjs': limits('AC-2', 'b.mjs') },
    'node --test-reporter=tap a.test.mjs && node --test-reporter=tap b.test.mjs',
  );
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed' });
});
