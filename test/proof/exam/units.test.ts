/** How a change is divided into units. */
import { expect, test } from 'vitest';
import { unitsOf } from '../../../src/proof/exam/units.ts';
import { sample } from './sample-repository.ts';

test.each([
  [
    'an assignment through a pointer is code',
    'v.go',
    'package v\n\nfunc Scan(v *V) {\n',
    '\t*v = V{}\n',
    '}\n',
    'code',
  ],
  ['a private field is code', 'v.mjs', 'export class V {\n', '  #size = 0;\n', '  a = 1;\n}\n', 'code'],
  [
    'a generator method is code',
    'v.mjs',
    'export class V {\n',
    '  *all() { yield 1; }\n',
    '  a = 1;\n}\n',
    'code',
  ],
  [
    'comments are not code',
    'v.mjs',
    'export const v = {\n',
    '  // all\n  /*\n   * of them\n   */\n',
    '  a: 1,\n};\n',
    'not-code',
  ],
  [
    'an import behind a comment is a frame',
    'v.mjs',
    'const b = [1];\n',
    "/* b */ import 'node:fs';\n",
    'export { b };\n',
    'frame',
  ],
])('%s', async (_, path, before, added, after, kind) => {
  const { change } = await sample({ [path]: before + after }, { [path]: before + added + after });
  expect(unitsOf(await change()).map(unit => unit.kind)).toEqual([kind]);
});

test.each([
  ['the header of a function', 'def f(n):\n', 'def f(n: int = 3):\n', '    return n\n', true],
  [
    'a docstring',
    'def f(n):\n    """One."""\n',
    'def f(n):\n    """Two\n    lines."""\n',
    '    return n\n',
    true,
  ],
  ['the header of a class', 'class A:\n', 'class A(B):\n', '    n = 1\n', true],
  ['a body', 'def f(n):\n    return n\n', 'def f(n):\n    return n + 1\n', '', false],
])(
  'in Python, a unit records whether a test may read %s without running the code',
  async (_, before, now, after, mayOnlyExist) => {
    const { change } = await sample({ 'v.py': before + after }, { 'v.py': now + after });
    expect(unitsOf(await change()).map(unit => unit.mayOnlyExist)).toEqual([mayOnlyExist]);
  },
);
