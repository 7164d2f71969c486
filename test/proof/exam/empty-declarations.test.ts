/** Constants are emptied: the name stays, so only a test of the value notices. */
import { expect, test } from 'vitest';
import { constantsIn } from '../../../src/proof/exam/faults/empty-declarations.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { edited } from '../../../src/proof/exam/syntax/text-edits.ts';

function emptied(path: string, code: string): string[] {
  const { parser } = languageOfFile(path)!.grammar!;
  return constantsIn(parser.parse(code), code).map(({ emptied }) => edited(code, [emptied!]));
}

test.each([
  ['a.js', 'const most = 3;', 'const most = undefined;'],
  ['a.ts', 'export const most: number = 3;', 'export const most: number = undefined;'],
  ['a.js', 'let names = ["a",\n  "b"]', 'let names = undefined'],
  ['a.py', 'MOST = 3', 'MOST = None'],
  ['a.py', 'MOST: int = 3', 'MOST: int = None'],
])('a constant is emptied in %s: %j', (path, code, expected) => {
  expect(emptied(path, code)).toEqual([expected]);
});

test.each([
  ['a.js', 'const { a } = read();'],
  ['a.js', 'const [a] = read();'],
  ['a.js', 'const a = 1, b = 2;'],
  ['a.js', 'let a;'],
  ['a.js', 'const a = null;'],
  ['a.js', 'const twice = a => 2 * a;'],
  ['a.py', 'a, b = read()'],
  ['a.py', 'a = b = 1'],
  ['a.py', 'a.b = 1'],
  ['a.py', 'A = None'],
  ['a.go', 'package a\n\nconst Most = 3'],
])('in %s, %j is not emptied', (path, code) => {
  expect(emptied(path, code)).toEqual([]);
});
