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
