/** Tests that check only that a member of an object or a class exists confirm nothing. */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS, NO_GO, NO_PYTEST, valuesConfirmed } from './examine-passed-tests.ts';

test('in JavaScript, a test counts if it checks the value of a member, not if it checks only that it exists', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { Box, config, tools } from './box.mjs';
test('AC-1', () => assert.ok('pattern' in config));
test('AC-2', () => assert.ok(config.names));
test('AC-3', () => assert.equal(typeof config.most, 'number'));
test('AC-4', () => assert.ok(new Box().kinds));
test('AC-5', () => assert.ok(Box.all instanceof Map));
test('AC-6', () => assert.ok('last' in new Box()));
test('AC-7', () => assert.ok(tools().twice));
test('AC-8', () => assert.ok(tools().kinds));
test('AC-11', () => assert.ok(config.pattern?.test('aa')));
test('AC-12', () => assert.deepEqual(config.names, ['a']));
test('AC-13', () => assert.equal(config.most, 3));
test('AC-14', () => assert.deepEqual(new Box().kinds, ['x']));
test('AC-15', () => assert.equal(Box.all?.get('a'), 1));
test('AC-16', () => assert.deepEqual(new Box().last, ['z']));
test('AC-17', () => assert.equal(tools().twice?.(3), 6));
test('AC-18', () => assert.deepEqual(tools().kinds, ['k']));
`;
  const box = (inConfig = '', inBox = '', inConstructor = '', inTools = ''): Files => ({
    'box.mjs': [
      "const kinds = ['k'];\nexport const config = {\n  least: 1,\n",
      inConfig,
      '};\nexport class Box {\n  size = 1;\n',
      inBox,
      '  constructor() {\n    this.first = kinds;\n',
      inConstructor,
      '  }\n}\nexport function tools() {\n  return {\n    once: x => x,\n',
      inTools,
      '  };\n}\n',
    ].join(''),
  });
  const result = box(
    "  pattern: /^a+$/,\n  names: ['a'],\n  most: 3,\n",
    "  kinds = ['x'];\n  static all = new Map([['a', 1]]);\n",
    "    this.last = ['z'];\n",
    '    twice: x => 2 * x,\n    kinds,\n',
  );
  const command = 'node --test --test-reporter=tap box.test.mjs';
  const { shown } = await examined(box(), result, { 'box.test.mjs': tests }, command);
  expect(shown).toEqual(valuesConfirmed(8));
});

test('in JavaScript, a test counts if it checks a computed value, not if it checks only its type, or compares it with itself', {
  timeout: LIMIT_MS,
}, async () => {
  const result = `export const one = 1;
export const greeting = name => 'Hello ' + name;
export const owner = options => options.owner || 'nobody';
export const command = line => {
  const words = line.split(' ');
  return words[0];
};
export const elapsed = (from, to) => to - from;
export const port = config => config.server && config.server.port;
export const user = (users, id) => {
  const found = users.get(id);
  return found;
};
const defaults = { color: 'red' };
export const settings = () => defaults;
const on = lamp => lamp + 1;
export const handler = () => on;
`;
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import * as lib from './lib.mjs';
const users = new Map([[1, { name: 'Ann' }]]);
test('AC-1', () => assert.equal(typeof lib.greeting('Ann'), 'string'));
test('AC-2', () => assert.equal(typeof lib.owner({}), 'string'));
test('AC-3', () => assert.ok(lib.command('run')));
test('AC-4', () => assert.equal(typeof lib.elapsed(new Date(), new Date()), 'number'));
test('AC-5', () => assert.equal(typeof lib.port({ server: { port: 8080 } }), 'number'));
test('AC-6', () => assert.ok(lib.user(users, 1)));
test('AC-7', () => assert.equal(lib.settings(), lib.settings()));
test('AC-8', () => assert.equal(lib.handler(), lib.handler()));
test('AC-11', () => assert.equal(lib.greeting('Ann'), 'Hello Ann'));
test('AC-12', () => assert.equal(lib.owner({}), 'nobody'));
test('AC-13', () => assert.equal(lib.command('run fast'), 'run'));
test('AC-14', () => assert.equal(lib.elapsed(new Date(1), new Date(3)), 2));
test('AC-15', () => assert.equal(lib.port({ server: { port: 8080 } }), 8080));
test('AC-16', () => assert.deepEqual(lib.user(users, 1), { name: 'Ann' }));
test('AC-17', () => assert.deepEqual(lib.settings(), { color: 'red' }));
test('AC-18', () => assert.equal(lib.handler()(1), 2));
`;
  const { shown } = await examined(
    { 'lib.mjs': 'export const one = 1;\n' },
    { 'lib.mjs': result },
    { 'lib.test.mjs': tests },
    'node --test --test-reporter=tap lib.test.mjs',
  );
  expect(shown).toEqual(valuesConfirmed(8));
});

test('in JavaScript, a test counts if it checks the value of an object with a spread or of a member that cannot be removed alone, not if it checks only that it exists', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { read, table } from './box.mjs';
test('AC-1', () => assert.ok('http' in read({})));
test('AC-2', () => assert.ok('rules' in table));
test('AC-11', () => assert.equal(read({ retry: 3 }).http?.retry, 3));
test('AC-12', () => assert.deepEqual(table.rules, {}));
`;
  const files = (inRead = '', inTable = ''): Files => ({
    'box.mjs': [
      "export function read(given) {\n  const found = {\n    log: 'none',\n",
      inRead,
      `  };\n  return Object.assign(() => found, found);\n}\nexport const table = {\n  name: 'a',\n${inTable}};\n`,
    ].join(''),
  });
  const result = files(
    "    http: { ...given },\n    mode: 'fast',\n",
    // The last line counts as that of `table` in base, so without `rules`, a bracket is missing.
    [
      '  rules: {},\n};\nexport function twice(given) {\n  return 2 * given;\n}\n',
      'export const same = given => {\n  return given;\n',
    ].join(''),
  );
  const command = 'node --test --test-reporter=tap box.test.mjs';
  const { shown } = await examined(files(), result, { 'box.test.mjs': tests }, command);
  expect(shown).toEqual(valuesConfirmed(2));
});

test.skipIf(NO_PYTEST)(
  'in Python, a test counts if it checks the value of a member, not if it checks only that it exists',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `from box import CONFIG, Box
def test_ac1(): assert 'pattern' in CONFIG
def test_ac2(): assert hasattr(Box, 'kinds')
def test_ac3(): assert hasattr(Box(), 'last')
def test_ac4(): assert 'word' in CONFIG
def test_ac11(): assert CONFIG.get('pattern') == 'a+'
def test_ac12(): assert getattr(Box, 'kinds', None) == {'a': 1}
def test_ac13(): assert getattr(Box(), 'last', None) == ['z']
def test_ac14(): assert CONFIG.get('word') == 'b'
`;
    const box = (inConfig = '', after = '', inBox = '', inConstructor = ''): Files => ({
      'box.py': [
        "CONFIG = {\n    'least': 1,\n",
        inConfig,
        '}\n',
        after,
        'class Box:\n    size = 1\n',
        inBox,
        '    def __init__(self):\n        self.first = 1\n',
        inConstructor,
      ].join(''),
    });
    const result = box(
      "    'pattern': 'a+',\n",
      "CONFIG['word'] = 'b'\n",
      "    kinds = {'a': 1}\n",
      "        self.last = ['z']\n",
    );
    const command = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_box.py';
    const { shown } = await examined(box(), result, { 'test_box.py': tests }, command);
    expect(shown).toEqual(valuesConfirmed(4));
  },
);

test.skipIf(NO_GO)(
  'in Go, a test counts if it checks the value of a member, not if it checks only that it exists',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `package box

import "testing"

func TestAC1(t *testing.T) {
	if _, ok := Names["b"]; !ok {
		t.Error("missing")
	}
}

func TestAC2(t *testing.T) {
	if _, ok := Codes[-30]; !ok {
		t.Error("missing")
	}
}

func TestAC11(t *testing.T) {
	if Names["b"] != "bee" {
		t.Error("wrong")
	}
}

func TestAC12(t *testing.T) {
	if Codes[-30] != "q" {
		t.Error("wrong")
	}
}
`;
    const box = (inNames = '', inCodes = ''): Files => ({
      'go.mod': 'module example.org/box\n\ngo 1.19\n',
      'box.go': [
        `package box\n\nvar Names = map[string]string{\n\t"a": "ay",\n${inNames}}\n\n`,
        `var Codes = map[int]string{\n\t-1: "d",\n${inCodes}}\n`,
      ].join(''),
    });
    const { shown } = await examined(
      box(),
      box('\t"b": "bee",\n', '\t-30: "q",\n'),
      { 'box_test.go': tests },
      'go test -v ./...',
    );
    expect(shown).toEqual(valuesConfirmed(2));
  },
);

test('in JavaScript, a test counts if it checks an added return value, not if it checks only its type or that there is one', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { Hooks } from './hooks.mjs';
test('AC-1', () => assert.equal(typeof new Hooks().remove(1), 'boolean'));
test('AC-2', () => assert.notEqual(new Hooks().remove(1), undefined));
test('AC-11', () => assert.equal(new Hooks().remove(1), false));
test('AC-12', () => {
  const hooks = new Hooks();
  hooks.all.push(1);
  assert.ok(hooks.remove(1));
});
`;
  const files = (returned: string): Files => ({
    'hooks.mjs': `export class Hooks {
  constructor() {
    this.all = [];
  }
  remove(hook) {
    const index = this.all.indexOf(hook);
    if (index !== -1) this.all.splice(index, 1);
${returned}  }
}
`,
  });
  const command = 'node --test --test-reporter=tap hooks.test.mjs';
  const { shown } = await examined(
    files(''),
    files('    return index !== -1;\n'),
    { 'hooks.test.mjs': tests },
    command,
  );
  expect(shown).toEqual(valuesConfirmed(2));
});
