import { expect, test } from 'vitest';
import { baseWithAddedParameters, onlyAddsParameters } from '../../../src/proof/exam/added-parameters.ts';
import type { ChangedFile } from '../../../src/proof/exam/changed-code.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { unitsOf } from '../../../src/proof/exam/units.ts';

/** Whether the only changed line, which is in `path` between two other lines, only adds parameters. */
const adds = (path: string, before: string, now: string): boolean => {
  const code = (line: string) => `x = 1\n${line}\n    return 1\n`;
  const lines = { from: 1, to: 2 };
  const atom = { head: lines, base: lines };
  return onlyAddsParameters(
    {
      path,
      basePath: path,
      head: code(now),
      base: code(before),
      language: languageOfFile(path)!,
      atoms: [atom],
    },
    atom,
  );
};

test.each([
  ['a.py', 'def f(a):', 'def f(a, target=None):'],
  ['a.py', 'def f(a):', 'def f(a, *, target=None, **more):'],
  ['a.js', 'function f(a) {', 'function f(a, b = 1) {'],
  ['a.ts', 'const f = (a: string) => {', 'const f = (a: string, b?: number) => {'],
  ['a.go', 'func f(a int) int {', 'func f(a int, b int) int {'],
])('%s: %j → %j only adds a parameter', (path, before, now) => {
  expect(adds(path, before, now)).toBe(true);
});

test.each([
  ['another default', 'a.py', 'def f(a, limit=10):', 'def f(a, limit=20):'],
  ['another name', 'a.py', 'def f(a):', 'def f(b):'],
  ['one parameter fewer', 'a.js', 'function f(a, b) {', 'function f(a) {'],
  ['another function', 'a.js', 'function f(a) {', 'function g(a, b) {'],
  ['code beside it', 'a.js', 'const f = a => a;', 'const f = (a, b) => a + b;'],
  [
    'a field',
    'a.ts',
    'class A { constructor(a: string) {',
    'class A { constructor(a: string, readonly b: string) {',
  ],
])('%s is more than an added parameter', (_, path, before, now) => {
  expect(adds(path, before, now)).toBe(false);
});

/** All lines of `path` are one changed part. */
const changed = (path: string, before: string, now: string): ChangedFile => {
  const lines = (code: string) => ({ from: 0, to: code.split('\n').length - 1 });
  const atom = { head: lines(now), base: lines(before) };
  return { path, basePath: path, head: now, base: before, language: languageOfFile(path)!, atoms: [atom] };
};

/** What is restored if the lines are reverted. */
const restored = (path: string, before: string, now: string): string | null => {
  const file = changed(path, before, now);
  return baseWithAddedParameters(file, file.atoms[0]!);
};

test.each([
  [
    'a.py',
    'def f(a):\n    return a\n',
    'def f(a, b=0):\n    return a + b\n',
    'def f(a, b=0):\n    return a\n',
  ],
  ['a.js', 'const f = a => a;\n', 'const f = (a, b) => a + b;\n', 'const f = (a, b) => a;\n'],
  [
    'a.js',
    'function f(a) {\n  return a;\n}\n',
    'function f(\n  a,\n  b,\n) {\n  return b;\n}\n',
    'function f(\n  a,\n  b,\n) {\n  return a;\n}\n',
  ],
  [
    'a.go',
    'func (t T) f() int {\n\treturn 0\n}\n',
    'func (t T) f(a int) int {\n\treturn a\n}\n',
    'func (t T) f(a int) int {\n\treturn 0\n}\n',
  ],
])('%s: %j → %j is reverted except for the parameter', (path, before, now, wanted) => {
  expect(restored(path, before, now)).toBe(wanted);
});

test.each([
  ['another parameter', 'a.py', 'def f(a):\n    return a\n', 'def f(b, a):\n    return b\n'],
  ['a longer default', 'a.py', 'def f(a=1):\n    return a\n', 'def f(a=10):\n    return -a\n'],
  ['another default', 'a.py', 'def f(a=1):\n    return a\n', 'def f(a=2, b=0):\n    return a\n'],
  ['another function', 'a.py', 'def f(a):\n    return a\n', 'def g(a, b):\n    return b\n'],
  [
    'a result',
    'a.go',
    'func f() (a int) {\n\treturn 0\n}\n',
    'func f() (a int, b int) {\n\treturn 0, 1\n}\n',
  ],
])('a change with %s is reverted completely', (_, path, before, now) => {
  expect(restored(path, before, now)).toBeNull();
});

test.each([
  ['its use', 'def f(a):\n    return a\n', 'def f(a, b=0):\n    return a + b\n', true],
  ['a doc string', 'def f(a):\n    "A."\n', 'def f(a, b=0):\n    "A and b."\n', false],
  ['a comment', 'def f(a):\n    return a\n', 'def f(a, b=0):\n    # b is later\n    return a\n', false],
])(
  'a test that notices the removal of a parameter and %s is evidence only if code uses the parameter',
  (_, before, now, isEvidence) => {
    const units = unitsOf({ code: [changed('a.py', before, now)], others: [] });
    expect(units).toMatchObject([{ kind: 'code', countsAsEvidence: isEvidence }]);
  },
);
