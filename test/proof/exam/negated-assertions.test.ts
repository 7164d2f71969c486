/** The exam of tests whose assertions are in a helper or compare in a special way, or whose negated runs end early. */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS, NO_PYTEST } from './examine-passed-tests.ts';
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
  'a criterion is confirmed by tests that delegate their assertions to a helper that %s',
  { timeout: LIMIT_MS },
  async (_, helper) => {
    expect(await examinedWith(helper, TEST)).toEqual({ 'AC-1': 'confirmed' });
  },
);

test('a criterion is not confirmed if the result disables the assertion in a helper', {
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

test('tests that are not reached because a negated assertion fails are run on their own', {
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

test.skipIf(NO_PYTEST)(
  'in Python, assertions on mock calls and approximate numbers confirm criteria',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    const tests = `import unittest
from unittest.mock import Mock, call
from pytest import approx
from limit import limit
def test_ac1_calls():
    tell = Mock()
    limit(300, tell)
    assert tell.call_args_list == [call(300), call(100)]
def test_ac2_approx():
    found = limit(400, Mock())
    assert found == approx(98, abs=5)
class TestLimit(unittest.TestCase):
    def test_ac3_almost(self):
        wanted = 196 / 2
        self.assertAlmostEqual(limit(500, Mock()), wanted, delta=5)
`;
    const { shown } = await examined(
      { 'limit.py': 'def limit(n, tell):\n    tell(n)\n    return n\n' },
      {
        'limit.py':
          'def limit(n, tell):\n    tell(n)\n    if n > 100:\n        n = 100\n        tell(n)\n    return n\n',
      },
      { 'test_limit.py': tests },
      'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_limit.py',
    );
    expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'confirmed', 'AC-3': 'confirmed' });
  },
);
