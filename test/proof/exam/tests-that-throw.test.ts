/** Tests that throw errors of their own instead of calling assertions. */
import { expect, test } from 'vitest';
import { examined, LIMIT_MS, NO_PYTEST, valuesConfirmed } from './examine-passed-tests.ts';

test('in JavaScript, an error that a test throws with the values in its message is an assertion', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import * as box from './box.mjs';
function same(actual, expected) {
  if (actual !== expected) throw new Error(\`expected \${expected}, but got \${actual}\`);
}
function exists(name) {
  if (typeof box[name] !== 'function') throw new Error(name + ' is missing');
}
test('AC-1', () => exists('twice'));
test('AC-2', () => exists('thrice'));
test('AC-3', () => { if (!box.twice) throw new Error('there is no twice: ' + box.twice); });
test('AC-11', () => same(box.twice(3), 6));
test('AC-12', (t, done) => {
  box.thrice(2, result => done(result === 6 ? undefined : new Error('got ' + result + ' instead of 6')));
});
test('AC-13', () => same(box.limit(300), 100));
`;
  const before = 'export function limit(value) {\n  return value;\n}\n';
  const after = [
    'export function limit(value) {\n  if (value > 100) return 100;\n  return value;\n}\n',
    'export function twice(value) {\n  return 2 * value;\n}\n',
    'export function thrice(value, back) {\n  setImmediate(() => back(3 * value));\n}\n',
  ].join('');
  const command = 'node --test --test-reporter=tap box.test.mjs';
  const { shown } = await examined(
    { 'box.mjs': before },
    { 'box.mjs': after },
    { 'box.test.mjs': tests },
    command,
  );
  expect(shown).toEqual(valuesConfirmed(3));
});

test.skipIf(NO_PYTEST)(
  'in Python, the same holds for an exception of any class',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `import box
def same(actual, expected):
    if actual != expected:
        raise ValueError(f'expected {expected}, but got {actual}')
def test_ac1():
    if not callable(getattr(box, 'twice', None)): raise Exception('twice is missing')
def test_ac2():
    if not hasattr(box, 'twice'): raise RuntimeError('twice is missing')
def test_ac11(): same(box.twice(3), 6)
def test_ac12(): same(box.limit(300), 100)
`;
    const before = 'def limit(value):\n    return value\n';
    const after =
      'def limit(value):\n    if value > 100:\n        return 100\n    return value\n\n\ndef twice(value):\n    return 2 * value\n';
    const command = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_box.py';
    const { shown } = await examined(
      { 'box.py': before },
      { 'box.py': after },
      { 'test_box.py': tests },
      command,
    );
    expect(shown).toEqual(valuesConfirmed(2));
  },
);
