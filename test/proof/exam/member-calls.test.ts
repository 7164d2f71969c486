/** Members that are added by a call, by an enum, or with a name as their value: their existence confirms nothing. */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS, NO_GO, NO_PYTEST, valuesConfirmed } from './examine-passed-tests.ts';

test('in JavaScript, a test counts if it checks the value of a member that a call adds, not if it checks only that it exists', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { Box, limiter, tools } from './box.mjs';
test('AC-1', () => assert.ok('all' in Box));
test('AC-2', () => assert.equal(typeof Box.reset, 'function'));
test('AC-3', () => assert.ok('size' in Box.prototype));
test('AC-4', () => assert.ok('active' in limiter()));
test('AC-5', () => assert.ok('limit' in limiter()));
test('AC-6', () => assert.ok('kind' in limiter()));
test('AC-7', () => assert.ok('word' in Box));
test('AC-8', () => assert.ok('most' in limiter()));
test('AC-9', () => assert.ok('names' in tools));
test('AC-11', () => assert.deepEqual(Box.all, ['a']));
test('AC-12', () => assert.equal(Box.reset?.(), 'done'));
test('AC-13', () => assert.equal(new Box().size, 4));
test('AC-14', () => assert.equal(limiter().active, 7));
test('AC-15', () => assert.equal(limiter().limit, 'low'));
test('AC-16', () => assert.equal(limiter().kind, 'box'));
test('AC-17', () => assert.equal(Box.word, 'w'));
test('AC-18', () => assert.equal(limiter().most, 3));
test('AC-19', () => assert.deepEqual(tools.names, ['n']));
`;
  const box = (ofBox = '', inLimiter = '  return run;\n', inTools = ''): Files => ({
    'box.mjs': [
      "const kinds = ['box'];\nconst words = { word: 'w' };\nexport class Box {}\n",
      `export const tools = {\n  once: x => x,\n${inTools}};\n`,
      ofBox,
      'export function limiter() {\n  let count = 7;\n  const run = work => work((count += 1));\n',
      inLimiter,
      '}\n',
    ].join(''),
  });
  const result = box(
    [
      "Object.assign(Box, { all: ['a'], reset: () => 'done' });\nObject.assign(Box, words);\n",
      "Object.defineProperty(Box.prototype, 'size', {\n  get() {\n    return 4;\n  },\n});\n",
    ].join(''),
    [
      '  Object.defineProperties(run, {\n    active: { get: () => count },\n  });\n',
      "  Object.defineProperty(run, 'limit', { value: 'low' });\n",
      "  Reflect.set(run, 'kind', kinds[0]);\n  return Object.assign(run, { most: 3 });\n",
    ].join(''),
    "  names: ['n'], twice: x => 2 * x,\n",
  );
  const command = 'node --test --test-reporter=tap box.test.mjs';
  const { shown } = await examined(box(), result, { 'box.test.mjs': tests }, command);
  expect(shown).toEqual(valuesConfirmed(9));
});

test('in TypeScript, a test counts if it checks the value of a member of an enum, not if it checks only that it exists', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import assert from 'node:assert';
import test from 'node:test';
import { Kind } from './kind.js';
test('AC-1', () => assert.ok('Last' in Kind));
test('AC-11', () => assert.equal((Kind as Record<string, unknown>).Last, 'z'));
`;
  const files = (inKind = ''): Files => ({
    'package.json': '{ "type": "module" }',
    'tsconfig.json':
      '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "outDir": "out", "types": ["node"], "typeRoots": ["TYPES"] } }'.replace(
        'TYPES',
        new URL('../../../node_modules/@types', import.meta.url).pathname,
      ),
    'kind.ts': `export enum Kind {\n  First = 'a',\n${inKind}}\n`,
  });
  const compiler = new URL('../../../node_modules/.bin/tsc', import.meta.url).pathname;
  const command = `${compiler} && node --test --test-reporter=tap out/kind.test.js`;
  const { shown } = await examined(files(), files("  Last = 'z',\n"), { 'kind.test.ts': tests }, command);
  expect(shown).toEqual(valuesConfirmed(1));
});

test.skipIf(NO_PYTEST)(
  'in Python, a test counts if it checks the value of an attribute that setattr adds, not if it checks only that it exists',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `from box import Box
def test_ac1(): assert hasattr(Box, 'kinds')
def test_ac2(): assert hasattr(Box(), 'last')
def test_ac11(): assert getattr(Box, 'kinds', None) == ['a']
def test_ac12(): assert getattr(Box(), 'last', None) == 'z'
`;
    const box = (inConstructor = '', after = ''): Files => ({
      'box.py': `class Box:\n    def __init__(self):\n        self.first = 1\n${inConstructor}${after}`,
    });
    const result = box("        setattr(self, 'last', 'z')\n", "setattr(Box, 'kinds', ['a'])\n");
    const command = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_box.py';
    const { shown } = await examined(box(), result, { 'test_box.py': tests }, command);
    expect(shown).toEqual(valuesConfirmed(2));
  },
);

test.skipIf(NO_GO)(
  'in Go, a test counts if it checks the value of a map entry that refers to a function or variable, not if it checks only that it exists',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `package box

import "testing"

func TestAC1(t *testing.T) {
	if _, ok := Makers["b"]; !ok {
		t.Error("missing")
	}
}

func TestAC2(t *testing.T) {
	if Places["b"] == nil {
		t.Error("missing")
	}
}

func TestAC3(t *testing.T) {
	if Makers["b"] == nil {
		t.Error("missing")
	}
}

func TestAC4(t *testing.T) {
	if Named["b"] == nil {
		t.Error("missing")
	}
}

func TestAC5(t *testing.T) {
	if Funcs()["b"] == nil {
		t.Error("missing")
	}
}

func TestAC11(t *testing.T) {
	if make := Makers["b"]; make == nil || make() != "bee" {
		t.Error("wrong")
	}
}

func TestAC12(t *testing.T) {
	if place := Places["b"]; place == nil || *place != 3 {
		t.Error("wrong")
	}
}

func TestAC13(t *testing.T) {
	if New(7).Most != 7 {
		t.Error("wrong")
	}
}

func TestAC14(t *testing.T) {
	if make := Named["b"]; make == nil || make() != "bee" {
		t.Error("wrong")
	}
}

func TestAC15(t *testing.T) {
	if make, ok := Funcs()["b"].(func() string); !ok || make() != "bee" {
		t.Error("wrong")
	}
}
`;
    const box = (inMakers = '', inPlaces = '', inNew = '', inNamed = '', inFuncs = ''): Files => ({
      'go.mod': 'module example.org/box\n\ngo 1.19\n',
      'box.go': [
        'package box\n\nimport "text/template"\n\nfunc ay() string { return "ay" }\n\nfunc bee() string { return "bee" }\n\n',
        `var Makers = map[string]func() string{\n\t"a": ay,\n${inMakers}}\n\n`,
        `var three = 3\n\nvar Places = map[string]*int{\n\t"a": nil,\n${inPlaces}}\n\n`,
        'type Box struct {\n\tName string\n\tMost int\n}\n\n',
        `func New(most int) Box {\n\treturn Box{\n${inNew}\t}\n}\n\n`,
        `type Table map[string]func() string\n\nvar Named = Table{\n\t"a": ay,\n${inNamed}}\n\n`,
        `func Funcs() template.FuncMap {\n\treturn template.FuncMap{\n\t\t"a": ay,\n${inFuncs}\t}\n}\n`,
      ].join(''),
    });
    const { shown } = await examined(
      box(),
      // A field of a struct exists without a value.
      box(
        '\t"b": bee,\n',
        '\t"b": &three,\n',
        '\t\tName: "box",\n\t\tMost: most,\n',
        '\t"b": bee,\n',
        '\t\t"b": bee,\n',
      ),
      { 'box_test.go': tests },
      'go test -v ./...',
    );
    expect(shown).toEqual(valuesConfirmed(5));
  },
);
