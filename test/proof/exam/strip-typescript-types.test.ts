import { expect, test } from 'vitest';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { normalizedCodeWithoutTypes } from '../../../src/proof/exam/syntax/normalized-code.ts';

const code = (text: string) => normalizedCodeWithoutTypes(text, languageOfFile('a.ts')!);

test.each([
  ['const a: T = b;', 'const a = b;'],
  ['const a = b as unknown as T;', 'const a = b;'],
  ['const a = b satisfies T;', 'const a = b;'],
  ['const a = <T>b;', 'const a = b;'],
  ['const a = (b as T)[key];', 'const a = b[key];'],
  ['for (const key of Object.keys(a as T)) b(key);', 'for (const key of Object.keys(a)) b(key);'],
  ['a!.b = c!;', 'a.b = c;'],
  ['const a = new Map<string, T>();', 'const a = new Map();'],
  ['a<T>(b);', 'a(b);'],
  ["import type { T } from './t';\na();", 'a();'],
  ["export type { T } from './t';\na();", 'a();'],
  ['export type T = string;\nexport interface S {}\na();', 'a();'],
  ['function a(b: string): void;\nfunction a(b) {}', 'function a(b) {}'],
  [
    'export function a(): "";\nexport function a<T>(\n  b: T,\n): C<T>;\nexport function a(b) {}',
    'export function a(b) {}',
  ],
  [
    'export default function a(b: T): void;\nexport default function a(b) {}',
    'export default function a(b) {}',
  ],
  ['class A implements B, C<D> { private readonly a = 1; }', 'class A { a = 1; }'],
])('%s compiles to %s', (typed, untyped) => {
  expect(code(typed)).toBe(code(untyped));
});

test.each([
  ['class A { constructor(private a: T) {} }', 'class A { constructor(a) {} }'],
  ['const a = (b?.c as T).d;', 'const a = b?.c.d;'],
  ['const a = b++;', 'const a = b;'],
  ['const a = b + c;', 'const a = b;'],
  ["import { t } from './t';", ''],
  ['export const a = 1;', ''],
  ['class A extends B<T> {}', 'class A {}'],
  ['enum A { B }', ''],
  ['export function a() {}', ''],
])('%s does not compile to %s', (one, other) => {
  expect(code(one)).not.toBe(code(other));
});
