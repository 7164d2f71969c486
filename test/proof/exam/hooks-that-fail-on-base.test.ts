/** Tests whose set-up needs the change, so that they do not run on base. */
import { expect, test } from 'vitest';
import { examined, LIMIT_MS } from './examine-passed-tests.ts';

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
