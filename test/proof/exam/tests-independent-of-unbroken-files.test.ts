import { expect, test } from 'vitest';
import { examined, LIMIT_MS } from './examine-passed-tests.ts';

const BASE = {
  'package.json': '{ "name": "greeting", "version": "1.0.0", "type": "module" }\n',
  'greeting.js': "export const greeting = name => 'Hello, ' + name;\n",
};
const RESULT = {
  'package.json': '{ "name": "greeting", "version": "1.1.0", "type": "module" }\n',
  'names.yml': 'first: Ada\n',
  'greeting.js': `export const greeting = name => 'Hello, ' + name;
export function farewell(name) {
  return 'Goodbye, ' + name;
}
`,
};
const TESTS = {
  'all.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import * as all from './greeting.js';
test('AC-1: says goodbye', () => assert.equal(all.farewell('Ada'), 'Goodbye, Ada'));
test('AC-2: says goodbye', () => assert.equal(typeof all.farewell, 'function'));
test('AC-3: knows a name', () => assert.match(readFileSync('names.yml', 'utf8'), /Ada/));
`,
};
const COMMAND = 'node --test --test-reporter=tap all.test.js';

test('a test must notice a fault, unless it needs a changed file that the exam cannot break; then its criterion gets only the status `passes`', {
  timeout: LIMIT_MS,
}, async () => {
  const { output, shown } = await examined(BASE, RESULT, TESTS, COMMAND);
  expect(shown).toEqual({ 'AC-1': 'confirmed', 'AC-2': 'not-claimed kill', 'AC-3': 'passes' });
  expect(output.criteria[2]!.reason).toBe('its tests may depend on changed files that the exam cannot break');
});
