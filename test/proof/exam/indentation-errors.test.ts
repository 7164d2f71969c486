import { expect, test } from 'vitest';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { syntaxErrors } from '../../../src/proof/exam/syntax/parse-code.ts';

const errorsIn = (...lines: string[]) =>
  syntaxErrors(lines.map(line => `${line}\n`).join(''), languageOfFile('a.py')!);

test.each([
  [
    'blocks in blocks',
    ['class A:', '    def f(self):', '        if a:', '            b()', '        c()', 'd = 1'],
  ],
  ['blocks with tabs', ['if a:', '\tif b:', '\t\tc()', '\td()']],
  ['blocks and statements in one line', ['if a: b()', 'else: c(); d()', 'try: e()', 'except F: pass']],
  [
    'comments and lines of an expression',
    ['def f():', '# a', '    a = (', '  1 +', '2)', '        # b', '    return a'],
  ],
  [
    'decorators and doc strings',
    ['class A:', '    """', '  a', '    """', '    @b', '    async def c(self):', '        pass'],
  ],
  [
    'clauses',
    [
      'try:',
      '    a()',
      'except B:',
      '    c()',
      'finally:',
      '    d()',
      'match e:',
      '    case 1:',
      '        f()',
    ],
  ],
])('there are no indentation errors: %s', (_, lines) => {
  expect(errorsIn(...lines)).toBe(0);
});

test.each([
  ['deeper than the file', ['a = 1', '    b = 2', 'c = 3']],
  ['deeper than its block', ['def f():', '    a = 1', '        b = 2', '    c = 3']],
  ['between two blocks', ['def f():', '    a = 1', '  b = 2', '    c = 3']],
  ['as deep as what it is in', ['def f():', 'a = 1']],
  ['with tabs among spaces', ['def f():', '    a = 1', '\tb = 2']],
])('a statement is indented wrongly: %s', (_, lines) => {
  expect(errorsIn(...lines)).toBeGreaterThan(0);
});
