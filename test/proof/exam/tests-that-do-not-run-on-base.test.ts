/** Tests that do not run on base because a hook needs the change, or because an earlier test failed. */
import { expect, test } from 'vitest';
import { examined, LIMIT_MS, NO_PYTEST } from './examine-passed-tests.ts';

test('a test whose class cannot be set up without the change confirms its criterion if it checks a value', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import unittest
import shop
class CartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cart = shop.Cart()
    def test_ac1_exists(self):
        self.assertIsNotNone(self.cart)
    def test_ac11_total(self):
        self.assertEqual(self.cart.total([1, 2]), 9)
`;
  const before = 'def price(amount):\n    return amount * 3\n';
  const after = `${before}\n\nclass Cart:\n    def total(self, amounts):\n        return sum(price(amount) for amount in amounts)\n`;
  const command = 'python3 -m unittest -v test_claims';
  const { shown } = await examined(
    { 'shop.py': before },
    { 'shop.py': after },
    { 'test_claims.py': tests },
    command,
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed kill', 'AC-11': 'confirmed' });
});

test.skipIf(NO_PYTEST)(
  'tests are compared with base even if pytest is configured to stop at the first failure',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `import shop
def test_ac11_total(): assert shop.total([1, 2]) == 9
def test_ac12_label(): assert shop.label('tea') == 'TEA'
`;
    const settings = { 'pytest.ini': '[pytest]\naddopts = -x\n' };
    const before = 'def price(amount):\n    return amount * 3\n';
    const after = `${before}\n\ndef total(amounts):\n    return sum(price(amount) for amount in amounts)\n\n\ndef label(name):\n    return name.upper()\n`;
    const { shown } = await examined(
      { ...settings, 'shop.py': before },
      { ...settings, 'shop.py': after },
      { 'test_claims.py': tests },
      'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_claims.py',
    );
    expect(shown).toEqual({ 'AC-11': 'confirmed', 'AC-12': 'confirmed' });
  },
);

const FILES = {
  before: 'export const price = n => n;\n',
  after: 'export const total = list => list.length;\n',
};
const exits = (how: string) =>
  `import * as shop from './shop.mjs';\nimport assert from 'node:assert';\nimport { test } from 'node:test';\n${how}`;

test.each([
  ['node --test --test-reporter=tap a.test.mjs', 'could-not-run not-run'],
  ['node a.test.mjs', 'could-not-run not-run'],
])('tests that end their process without the change prove nothing: %s', async (command, expected) => {
  const tests = exits(
    "if (!shop.total) process.exit(0);\ntest('AC-1: adds', () => assert.equal(shop.total([1]), 1));\n",
  );
  const { before, after } = FILES;
  const { shown } = await examined(
    { 'shop.mjs': before },
    { 'shop.mjs': `${before}${after}` },
    { 'a.test.mjs': tests },
    command,
  );
  expect(shown).toEqual({ 'AC-1': expected });
});

test('a test that is skipped without the change proves nothing', async () => {
  const tests = exits("test('AC-1: adds', { skip: !shop.total }, () => assert.equal(shop.total([1]), 1));\n");
  const { before, after } = FILES;
  const { shown } = await examined(
    { 'shop.mjs': before },
    { 'shop.mjs': `${before}${after}` },
    { 'a.test.mjs': tests },
    'node --test --test-reporter=tap a.test.mjs',
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed base' });
});
