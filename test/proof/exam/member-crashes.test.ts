/** A test that crashes with another value of a member, and fails without the member, needs its value. */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS, NO_PYTEST } from './examine-passed-tests.ts';

test('in JavaScript, a test that crashes when a member has another value confirms the value', {
  timeout: LIMIT_MS,
}, async () => {
  const tests = `import test from 'node:test';
import assert from 'node:assert';
import { Box, kinds, make, read, shapes, split, write } from './box.mjs';
test('AC-1', () => {
  const list = make('list');
  list.add(1);
  assert.deepEqual(list.items, [1]);
});
test('AC-2', () => assert.deepEqual(split('words', 'a b-c'), ['a', 'b', 'c']));
test('AC-3', () => {
  write('a');
  write('b');
  assert.equal(read(), 'ab');
});
test('AC-4', () => assert.equal(new Box().started, 5));
test('AC-5', () => assert.equal(new shapes.box().area(3), 9));
test('AC-11', () => assert.ok('list' in kinds));
test('AC-12', () => assert.ok('started' in new Box()));
test('AC-13', () => assert.ok('box' in shapes));
`;
  const box = (inKinds = '', inPatterns = '', inOptions = '', inShapes = '', inConstructor = ''): Files => ({
    'box.mjs': [
      "import fs from 'node:fs';\nconst path = fs.mkdtempSync('box-') + '/x';\n",
      'class One {\n  add(item) {\n    this.items = item;\n  }\n}\n',
      'class Items {\n  items = [];\n  add(item) {\n    this.items.push(item);\n  }\n}\n',
      `export const kinds = {\n  one: One,\n${inKinds}};\n`,
      'export const make = kind => new (kinds[kind] ?? One)();\n',
      `const patterns = {\n  commas: /,/g,\n${inPatterns}};\n`,
      'export const split = (name, text) => text.split(patterns[name]);\n',
      'class Square {\n  area = side => side * side;\n}\n',
      `export const shapes = {\n${inShapes}};\n`,
      `const options = {\n  encoding: 'utf8',\n${inOptions}};\n`,
      'export const write = text => fs.writeFileSync(path, text, options);\n',
      "export const read = () => fs.readFileSync(path, 'utf8');\n",
      `export class Box {\n  constructor() {\n${inConstructor}    this.clock?.now();\n  }\n}\n`,
    ].join(''),
  });
  const result = box(
    '  list: Items,\n',
    '  words: /[\\s-]+/g,\n',
    "  flag: 'a',\n",
    '  box: Square,\n',
    '    this.clock = Date;\n    this.started = 5;\n',
  );
  const command = 'node --test --test-reporter=tap box.test.mjs';
  const { shown } = await examined(box(), result, { 'box.test.mjs': tests }, command);
  expect(shown).toEqual({
    'AC-1': 'confirmed',
    'AC-2': 'confirmed',
    'AC-3': 'confirmed',
    'AC-4': 'confirmed',
    'AC-5': 'confirmed',
    'AC-11': 'not-claimed kill',
    'AC-12': 'not-claimed kill',
    'AC-13': 'not-claimed kill',
  });
});

test.skipIf(NO_PYTEST)(
  'in Python, a test that crashes when a member has another value confirms the value',
  { timeout: LIMIT_MS },
  async () => {
    const tests = `import box
def test_ac1():
    made = box.make('list')
    made.add(1)
    assert made.items == [1]
def test_ac2(): assert box.find('year', 'in 1999') == '1999'
def test_ac3():
    node = box.Node()
    node.child.add(3)
    assert node.child.items == [3]
def test_ac11(): assert 'list' in box.KINDS
def test_ac12(): assert hasattr(box.Node, 'child_class')
`;
    const box = (inKinds = '', inPatterns = '', inNode = ''): Files => ({
      'box.py': [
        'import re\nclass One:\n    def add(self, item):\n        self.items = item\n',
        'class Items:\n    def __init__(self):\n        self.items = []\n',
        '    def add(self, item):\n        self.items.append(item)\n',
        `KINDS = {\n    'one': One,\n${inKinds}}\ndef make(kind):\n    return KINDS.get(kind, One)()\n`,
        `PATTERNS = {\n    'word': re.compile('[a-z]+'),\n${inPatterns}}\n`,
        "def find(name, text):\n    return PATTERNS.get(name, PATTERNS['word']).search(text).group()\n",
        `class Node:\n    name = 'node'\n${inNode}    def __init__(self):\n`,
        "        self.child = getattr(self, 'child_class', One)()\n",
      ].join(''),
    });
    const result = box(
      "    'list': Items,\n",
      "    'year': re.compile(r'\\d{4}'),\n",
      '    child_class = Items\n',
    );
    const command = 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_box.py';
    const { shown } = await examined(box(), result, { 'test_box.py': tests }, command);
    expect(shown).toEqual({
      'AC-1': 'confirmed',
      'AC-2': 'confirmed',
      'AC-3': 'confirmed',
      'AC-11': 'not-claimed kill',
      'AC-12': 'not-claimed kill',
    });
  },
);
