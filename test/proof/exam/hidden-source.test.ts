import { expect, test } from 'vitest';
import { hiddenSource } from '../../../src/proof/exam/variants/hidden-source.ts';
import { sample } from './sample-repository.ts';

async function hidden(files: Readonly<Record<string, string>>, tests: readonly string[] = []) {
  const made = await sample({ 'README.md': 'x' }, files);
  const variant = hiddenSource(
    await made.change(),
    tests.map(text => ({ text })),
  );
  return variant && Object.fromEntries([...variant.edits].map(([path, text]) => [path, text && `${text}`]));
}

test('a Python file runs its code from a string that contains no readable text', async () => {
  expect(await hidden({ 'a.py': 'b' })).toEqual({
    'a.py': `exec(compile(b'\\x62', globals().get('__file__', ''), 'exec', dont_inherit=True))\n`,
  });
});

test('a Go file is renamed but keeps its `_GOOS` suffix', async () => {
  const text = 'package a\n';
  expect(await hidden({ 'a/b_linux.go': text, 'a/c.go': text })).toEqual({
    'a/b_linux.go': null,
    'a/b0hidden_linux.go': text,
    'a/c.go': null,
    'a/c0hidden.go': text,
  });
});

test('a CommonJS file evaluates its code from a string', async () => {
  expect(await hidden({ 'a.js': 'exports.a=1' })).toEqual({
    'a.js':
      String.raw`eval('\u0065\u0078\u0070\u006f\u0072\u0074\u0073\u002e\u0061\u003d\u0031');` +
      '\n0 && (exports.a = 0);\n',
  });
});

test.each([
  ['module.exports = { a, b: 1, c() {}, ...require("./d") };', ['a', 'b', 'c'], '...require("./d")'],
  ['exports.default = exports.a = 1;', ['default', 'a'], ''],
  ['module.exports = require("./b");', [], '...require("./b")'],
  ['module.exports = a;', [], ''],
])('the names that a CommonJS file exports can still be found: %s', async (code, names, others) => {
  const [, ...shown] = (await hidden({ 'a.cjs': code }))!['a.cjs']!.trim().split('\n');
  expect(shown).toEqual([
    ...(names.length > 0 ? [`0 && (${names.map(name => `exports.${name} = `).join('')}0);`] : []),
    ...(others === '' ? [] : [`0 && (module.exports = { ${others} });`]),
  ]);
});

test.each([
  ['a.mjs', 'export const b = 1;', { 'a.mjs': 'export * from "./a0hidden.mjs";\n' }],
  [
    'a.ts',
    'export default 1;',
    { 'a.ts': 'export * from "./a0hidden.ts";\nexport { default } from "./a0hidden.ts";\n' },
  ],
  ['a.ts', "import b from './b';\nexport { b };", { 'a.ts': 'export * from "./a0hidden";\n' }],
  [
    'a.ts',
    "import b from './b.js';\nexport { b as default };",
    { 'a.ts': 'export * from "./a0hidden.js";\nexport { default } from "./a0hidden.js";\n' },
  ],
])(
  'the code of a module moves to a hidden file, whose exports the module re-exports: %s, %s',
  async (path, code, stub) => {
    expect(await hidden({ [path]: code })).toEqual({ ...stub, [path.replace('a', 'a0hidden')]: code });
  },
);

test.each([
  ['a.mjs', "import b from './b.cjs';\nexport { b };", [], './a0hidden.mjs'],
  ['a.jsx', "import b from './b';\nexport { b };", [], './a0hidden.jsx'],
  ['a.ts', "import b from './b.json';\nimport { c } from './c.service';\nexport { b, c };", [], './a0hidden'],
  ['a.mts', "import b from './b.cjs';\nexport { b };", [], './a0hidden.mjs'],
  ['a.ts', "import type { B } from './b';\nexport const c: B = 1;", [], './a0hidden.ts'],
  [
    'a.ts',
    'export const b = 1;',
    ["import './help.mjs';\nimport { b } from '../dist/a.js';"],
    './a0hidden.js',
  ],
  ['a.ts', 'export const b = 1;', ["const { b } = await import('../a');"], './a0hidden'],
])(
  'the hidden file is imported with the extension that other imports suggest: %s, %s, tests: %j',
  async (path, code, tests, from) => {
    expect((await hidden({ [path]: code }, tests))![path]).toBe(`export * from "${from}";\n`);
  },
);

test.each([
  ['a.mjs', 'export const a = import.meta.url;'],
  ['a.cjs', '#!/usr/bin/env node\nexports.a = 1;'],
  ['a.ts', 'const a = 1;\nexport = a;'],
  ['a.d.ts', 'export const a: number;'],
  ['a.js', 'f();'],
  ['a.js', 'exports.a = (;'],
  ['a.rb', 'b'],
])('the source text is not hidden: %s, %s', async (path, code) => {
  expect(await hidden({ [path]: code })).toBeNull();
});
