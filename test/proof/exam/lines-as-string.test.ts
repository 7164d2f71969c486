import { expect, test } from 'vitest';
import { withStringAt } from '../../../src/proof/exam/lines-as-string.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';

/** `^` marks the offset. */
const at = (path: string, marked: string) =>
  withStringAt(marked.replace('^', ''), ['a(b);'], marked.indexOf('^'), languageOfFile(path)!);

test.each([
  ['before a statement', 'f(() => {\n  ^;\n});\n', "f(() => {\n  /*! a(b); */ 'a(b);'; ;\n});\n"],
  [
    'after a statement without a semicolon',
    'f(() => {\n  g()\n  ^;\n})\n',
    "f(() => {\n  g()\n  ;/*! a(b); */ 'a(b);' ;\n})\n",
  ],
  ['at the start of its line', 'f();\n  g(^c);\n', "f();\n  /*! a(b); */ 'a(b);'; g(c);\n"],
  ['at the end of the file', 'f(\n  g(^c),\n);\n', "f(\n  g(c),\n);\n/*! a(b); */ 'a(b);';\n"],
])('in JavaScript, the lines are inserted as a string %s', (_, marked, expected) => {
  expect(at('a.js', marked)).toBe(expected);
});

test('in Python, the lines are added as a string at the end of the file', () => {
  expect(at('a.py', 'f()\n^g()\n')).toBe("f()\ng()\n'a(b);'\n");
});

test('in Go, the lines are added as a string at the end of the file', () => {
  expect(at('a.go', 'package a\n\nfunc F() {\n\t^g()\n}\n')).toBe(
    'package a\n\nfunc F() {\n\tg()\n}\nvar _ = "a(b);"\n',
  );
});
