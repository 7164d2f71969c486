import { expect, test } from 'vitest';
import { stubNewFunctions } from '../../../src/proof/exam/variants/restore-old-and-stub-new-functions.ts';
import { sample } from './sample-repository.ts';

const lines = (...of: string[]) => of.map(line => `${line}\n`).join('');

async function stubbed(path: string, before: string, after: string) {
  const { change } = await sample({ [path]: before }, { [path]: after });
  const variant = stubNewFunctions(await change());
  const bodies = variant?.changedBodies.get(path) ?? [];
  return {
    code: variant?.edits.get(path)?.toString() ?? null,
    bodies: bodies.map(({ from, to }) => after.slice(from, to)),
  };
}

test('in JavaScript, changed methods get their old bodies, and new ones do nothing', async () => {
  const { code, bodies } = await stubbed(
    'cart.js',
    lines('class Cart {', '  add(item) {', '    this.items.push(item);', '  }', '}'),
    lines(
      'class Cart {',
      '  onAdd(log) {',
      '    this.log = log;',
      '  }',
      '  add(item, count = 1) {',
      '    if (item === "") throw new Error("no item");',
      '    this.items.push(item);',
      '  }',
      '}',
    ),
  );
  expect(code).toBe(
    lines(
      'class Cart {',
      '  onAdd(log) { return;',
      '    this.log = log;',
      '  }',
      '  add(item, count = 1) {',
      '    this.items.push(item);',
      '  }',
      '}',
    ),
  );
  expect(bodies).toEqual([
    '{\n    if (item === "") throw new Error("no item");\n    this.items.push(item);\n  }',
  ]);
});

test('in Python, a decorated method gets its old body too, and the constructor of a new class keeps its body', async () => {
  const { code } = await stubbed(
    'shop.py',
    lines('class Shop:', '    def total(self):', '        return 1'),
    lines(
      ...['class Shop:', '    @property', '    def total(self):', '        return 2', ''],
      ...['class Log:', '    def __init__(self):', '        self.all = []', '', '    def write(self, line):'],
      '        self.all.append(line)',
    ),
  );
  expect(code).toBe(
    lines(
      ...['class Shop:', '    @property', '    def total(self):', '        return 1', ''],
      ...['class Log:', '    def __init__(self):', '        self.all = []', '', '    def write(self, line):'],
      ...['        return', '        self.all.append(line)'],
    ),
  );
});

test('in Go, the new body of a function stays as code that never runs, because it uses the imports', async () => {
  const { code } = await stubbed(
    'a.go',
    lines('package a', 'func Run(f func()) {', '\tf()', '}', 'func Two() int { return 2 }'),
    lines(
      ...['package a', 'import "log"', 'func Run(f func()) {', '\tlog.Print(1)', '\tf()', '}'],
      ...['func Two() int { return 3 }', 'func New() string { return "new" }'],
    ),
  );
  expect(code).toBe(
    lines(
      ...['package a', 'import "log"', 'func Run(f func()) { if true {', '\tf()', '', 'return };'],
      ...['\tlog.Print(1)', '\tf()', '}', 'func Two() int { if true { return 2 }; return 3 }'],
      'func New() string { if true { return *new(string) }; return "new" }',
    ),
  );
});

test('a method of a new class is empty even if a method of another class has the same name', async () => {
  const { code } = await stubbed(
    'a.js',
    lines('class A {', '  run() { return 1; }', '}'),
    lines('class A {', '  run() { return 2; }', '}', 'class B {', '  run() { return 3; }', '}'),
  );
  expect(code).toBe(
    lines('class A {', '  run() { return 1; }', '}', 'class B {', '  run() { return; return 3; }', '}'),
  );
});

test.each([
  ['only bodies are changed', 'f = () => 1;\n', 'f = () => 2;\n'],
  ['there is no old body', 'const a = 1;\n', 'const a = 1;\nfunction f() { return a; }\n'],
])('there is no variant with stubs if %s', async (_, before, after) => {
  expect(await stubbed('a.js', before, after)).toEqual({ code: null, bodies: [] });
});
