/** Tests that throw errors of their own instead of calling assertions. */
import { expect, test } from 'vitest';
import { examined, LIMIT_MS, NO_PYTEST, valuesConfirmed } from './examine-passed-tests.ts';

test('in JavaScript, an error that a test throws with the compared values in its message counts as an assertion', {
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
  'in Python, an exception of any class that a test raises with the compared values in its message counts as an assertion',
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

test('a test that checks only that the new code does not throw confirms nothing, even if a fault makes that code throw', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { Writer } from './writer.mjs';
test('AC-1', () => assert.doesNotThrow(() => new Writer().on('a', () => {})));
test('AC-11', () => {
  const heard = [];
  new Writer().on('write', text => heard.push(text)).write(' a ');
  assert.deepEqual(heard, ['a']);
});
test('AC-12', () => assert.doesNotThrow(() => new Writer().write(null)));
`;
  const before = `export class Writer {
  constructor() {
    this.parts = [];
  }
  write(text) {
    const out = text.trim();
    this.parts.push(out);
    return out;
  }
}
`;
  const after = `export class Writer {
  constructor() {
    this.parts = [];
    this.listeners = {};
  }
  on(event, listener) {
    (this.listeners[event] = this.listeners[event] || []).push(listener);
    return this;
  }
  write(text) {
    if (text === null) return '';
    const out = text.trim();
    this.parts.push(out);
    (this.listeners.write || []).forEach(listener => listener(out));
    return out;
  }
}
`;
  const { shown } = await examined(
    { 'writer.mjs': before },
    { 'writer.mjs': after },
    { 'writer.test.mjs': tests },
    'node --test --test-reporter=tap writer.test.mjs',
  );
  expect(shown).toEqual({ 'AC-1': 'not-claimed kill', 'AC-11': 'confirmed', 'AC-12': 'confirmed' });
});
