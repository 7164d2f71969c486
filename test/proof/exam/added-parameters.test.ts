import { expect, test } from 'vitest';
import { onlyAddsParameters } from '../../../src/proof/exam/added-parameters.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';

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
  ['a parameter less', 'a.js', 'function f(a, b) {', 'function f(a) {'],
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
