import { expect, test } from 'vitest';
import { withUnreachable } from '../../../src/proof/exam/append-unreachable-code.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';

const added = (path: string, code: string, before = 'f()\n') =>
  withUnreachable(before, code, languageOfFile(path)!).slice(before.length);

const lines = (...of: string[]) => of.map(line => `${line}\n`).join('');

test.each([
  ['imports are left out', "import a from 'a';\nlet b = a;", '\nlet b = a;'],
  ['the interpreter is left out', '#!/usr/bin/env node\nf();', '\nf();'],
  ['a declaration is not exported', 'export async function f() {}', 'async function f() {}'],
  ['a pattern is not exported', 'export const { a, b } = c;', 'const { a, b } = c;'],
  ['the default export has a name', 'export default class A {}', 'class A {}'],
  ['the default export has no name', 'export default class {}', 'exported = class {}'],
  ['the default export is a value', 'export default async () => 1;', 'exported = async () => 1;'],
  ['a list of exports is left out', "let a;\nexport { a };\nexport * from 'b';", 'let a;\n\n'],
])('JavaScript: %s', (_, code, inside) => {
  expect(added('a.mjs', code)).toBe(`\nvoid (async () => {\n${inside}\n});\n`);
});

test.each([
  [
    'types and enumerations are not exported',
    'export type A = 1;\nexport enum B {}',
    'type A = 1;\nenum B {}',
  ],
  [
    'what is possible only at the top of a file is left out',
    'declare global {}\nnamespace A {}\nexport namespace B {}\nexport declare const c: 1;\nlet d;',
    '\n\n\n\nlet d;',
  ],
])('TypeScript: %s', (_, code, inside) => {
  expect(added('a.ts', code)).toBe(`\nvoid (async () => {\n${inside}\n});\n`);
});

test('Python: the code is indented, and imports from __future__ are left out', () => {
  const code = lines('from __future__ import annotations', '', 'import a', 'def f():', '    return a');
  expect(added('a.py', code)).toBe(
    `\n${lines('if False:', '    None', '', '', '    import a', '    def f():', '        return a', '')}`,
  );
});

test.each([
  ['in a language without such a statement', 'a.go', 'func F() {}'],
  ['without a grammar', 'a.rb', 'f'],
  ['in a file that declares types', 'a.d.ts', 'type A = 1;'],
  ['if the grammar does not know the code', 'a.ts', 'export default interface A {}'],
  ['if the code has syntax errors', 'a.js', 'function ('],
])('the text stays unchanged: %s', (_, path, code) => {
  expect(added(path, code)).toBe('');
});
