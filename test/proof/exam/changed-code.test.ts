/** Which changed files the exam reads. */
import { expect, test } from 'vitest';
import { sample } from './sample-repository.ts';

const LONG = `const TABLE = '${'x'.repeat(6000)}';\n`;
const CODE = 'export const one = 1;\n'.repeat(20);
const MARK = '// @generated\n';

test('a change cannot exempt a file from the exam', async () => {
  const { change } = await sample(
    { 'long.js': CODE, 'marked.js': CODE, 'minified.js': LONG, 'generated.js': MARK + CODE, 'a.md': 'a\n' },
    {
      'long.js': CODE + LONG,
      'marked.js': `${MARK}${CODE}export const two = 2;\n`,
      'minified.js': LONG.replace('x', 'y'),
      'generated.js': `${CODE}export const two = 2;\n`,
      'new.js': LONG + CODE,
      'a.md': 'b\n',
    },
  );
  const { code, others } = await change();
  expect(code.map(({ path }) => path)).toEqual(['long.js', 'marked.js', 'new.js']);
  expect(others).toEqual(['a.md', 'generated.js', 'minified.js']);
});

test('test folders are left out, but not source folders with the same names', async () => {
  const paths = {
    read: ['packages/a/src/e2e/run.js', 'src/spec/schema.js'],
    'left out': [
      'e2e/page.js',
      'frontend/e2e/page.js',
      'packages/a/spec/help.js',
      'src/__mocks__/fs.js',
      'src/tests/data.js',
    ],
  };
  const { change } = await sample(
    { 'a.txt': 'a\n' },
    Object.fromEntries(Object.values(paths).flatMap(all => all.map(path => [path, CODE]))),
  );
  const { code, others } = await change();
  expect({ read: code.map(({ path }) => path), 'left out': others }).toEqual(paths);
});

test('a script without a file extension is read in the language of its interpreter', async () => {
  const { change } = await sample(
    { 'a.txt': 'a\n' },
    {
      'bin/run': `#!/usr/bin/env node\n${CODE}`,
      'bin/tool': '#!/usr/bin/python3\nprint(1)\n',
      'bin/start': '#!/bin/sh -e\necho 1\n',
      LICENSE: 'Use it.\n',
    },
  );
  const { code, others } = await change();
  const markOf = Object.fromEntries(code.map(({ path, language }) => [path, language.comment]));
  expect(markOf).toEqual({ 'bin/run': '//', 'bin/start': '#', 'bin/tool': '#' });
  expect(others).toEqual(['LICENSE']);
});
