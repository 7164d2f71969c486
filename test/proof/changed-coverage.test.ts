/** Coverage of the lines that a result adds or changes: istanbul's JSON or lcov combined with git's diff. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedCoverage } from '../../src/proof/changed-coverage.ts';
import { readLineCoverage } from '../../src/proof/report-readers/line-coverage.ts';
import { changedLines } from '../../src/workspace/git/diff-trees.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { commitFiles, type Files, newRepository } from '../helpers/git-repositories.ts';

const wrote = (name: string, text: string) => ({ stdout: '', stderr: '', files: [{ name, text }] });
const top = '/checkout';
const percentOf = (...of: Parameters<typeof changedCoverage>) => changedCoverage(...of).percent;

const istanbul = (file: string, lines: Record<number, number>) => ({
  [file]: {
    path: file,
    statementMap: Object.fromEntries(
      Object.keys(lines).map((line, i) => [
        i,
        { start: { line: Number(line), column: 0 }, end: { line: 9 } },
      ]),
    ),
    s: Object.fromEntries(Object.values(lines).map((hits, i) => [i, hits])),
    fnMap: {},
    f: {},
    branchMap: {},
    b: {},
  },
});

test('only changed lines of files in the report count towards the coverage', () => {
  const report = {
    ...istanbul('/checkout/src/a.js', { 1: 1, 2: 0, 3: 1, 9: 0 }),
    ...istanbul('/checkout/src/b.js', { 1: 0 }),
  };
  const coverage = readLineCoverage(wrote('coverage/coverage-final.json', JSON.stringify(report)));
  const at = { top, cwd: top };
  expect(percentOf(coverage, { 'src/a.js': [[2, 3]] }, at)).toBe(50);
  expect(
    percentOf(
      coverage,
      {
        'src/a.js': [
          [1, 1],
          [3, 5],
        ],
      },
      at,
    ),
  ).toBe(100);
  expect(
    percentOf(coverage, { 'src/a.js': [[1, 3]], 'src/b.js': [[1, 1]], 'README.md': [[1, 50]] }, at),
  ).toBe(50);
});

test('files in a Go cover profile are resolved by the path of their module', () => {
  const profile =
    'mode: set\nexample.com/own/a.go:3.14,5.2 1 1\nexample.com/own/sub/a.go:3.14,4.2 1 0\nexample.com/other/a.go:1.1,9.2 1 0\n';
  const coverage = readLineCoverage(wrote('cover.out', profile));
  const at = { top, cwd: `${top}/go`, goModule: 'example.com/own' };
  expect(percentOf(coverage, { 'go/a.go': [[4, 9]] }, at)).toBe(100);
  expect(percentOf(coverage, { 'go/a.go': [[5, 5]], 'go/sub/a.go': [[4, 4]] }, at)).toBe(50);
});

test('there is no coverage if no changed line is in a report', () => {
  const report = JSON.stringify(istanbul('/checkout/src/a.js', { 1: 0 }));
  const coverage = readLineCoverage(wrote('coverage/coverage-final.json', report));
  expect(percentOf(coverage, { 'src/new.js': [[1, 9]] }, { top, cwd: top })).toBeNull();
  expect(percentOf(coverage, { 'src/a.js': [[4, 9]] }, { top, cwd: top })).toBeNull();
  expect(
    percentOf(readLineCoverage({ stdout: 'fine', stderr: '', files: [] }), {}, { top, cwd: top }),
  ).toBeNull();
});

test('changed source files that are in no report are listed, but not tests, settings or other kinds of files', () => {
  const report = JSON.stringify(istanbul('/checkout/src/a.ts', { 1: 1 }));
  const coverage = readLineCoverage(wrote('coverage/coverage-final.json', report));
  const paths = [
    'src/a.ts',
    'src/new.tsx',
    'src/a.test.ts',
    'vitest.config.ts',
    'src/a.d.ts',
    'tool.py',
    'R.md',
  ];
  const changed = Object.fromEntries(paths.map(path => [path, [[1, 9]] as const]));
  const at = { top, cwd: top };
  expect(changedCoverage(coverage, { ...changed, 'src/cut.ts': [] }, at)).toEqual({
    percent: 100,
    unmeasured: ['src/new.tsx'],
  });
  expect(changedCoverage(new Map(), changed, at)).toEqual({ percent: null, unmeasured: [] });
});

test('lcov paths are relative to where the tests ran, and several reports are combined', () => {
  const lcov =
    'TN:\nSF:src/a.js\nDA:1,3\nDA:2,0\nLF:2\nend_of_record\nSF:/checkout/packages/a/src/b.js\nDA:7,0\nend_of_record\n';
  const coverage = readLineCoverage({
    stdout: '',
    stderr: '',
    files: [
      { name: 'coverage/lcov.info', text: lcov },
      { name: 'coverage/coverage-final.json', text: JSON.stringify(istanbul('src/a.js', { 2: 1 })) },
    ],
  });
  const changed = { 'packages/a/src/a.js': [[1, 2]], 'packages/a/src/b.js': [[7, 7]] } as const;
  expect(percentOf(coverage, changed, { top, cwd: '/checkout/packages/a' })).toBe(66.67);
});

test('the coverage map that jest prints with --json --coverage is read too', async () => {
  const printed = await readFile(new URL('./captured/jest-json-coverage.txt', import.meta.url), 'utf8');
  const coverage = readLineCoverage({ stdout: printed, stderr: '', files: [] });
  expect(coverage.size).toBeGreaterThan(0);
});

async function repositoryWith(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'dure-test-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const base = await newRepository(root, files);
  return { root, commit: (changes: Files) => commitFiles(root, changes), base };
}

test('added and changed lines are found whatever the file name and content', async () => {
  const { root, commit, base } = await repositoryWith({
    'a.js': 'one\ntwo\nthree\n',
    'gone.js': 'x\n',
    'same.js': 'y\n',
    'cut.js': '1\n2\n3\n',
  });
  const head = await commit({
    'a.js': 'one\nTWO\nthree\nfour\nfive\n',
    'gone.js': null,
    'cut.js': '1\n3\n',
    'dir/new "file" ü\t.js': 'diff --git a/x b/x\n@@ -1 +1 @@\n+++ b/x\n',
    'picture.bin': '\u0000\u0001',
  });
  const repo = await openRepository(root, join(root, '.dure', 'shadow.git'));
  expect(await changedLines(repo, base, head)).toEqual({
    'a.js': [
      [2, 2],
      [4, 5],
    ],
    'cut.js': [],
    'dir/new "file" ü\t.js': [[1, 3]],
    'picture.bin': [],
  });
});

test("with the flags in the Verifier's prompt, node:test measures the coverage of the changed lines", async () => {
  const { root, commit, base } = await repositoryWith({ 'a.mjs': 'export const one = () => 1;\n' });
  const head = await commit({
    'a.mjs':
      'export const one = () => 1;\nexport function two(x) {\n  if (x) {\n    return 2;\n  }\n  return 0;\n}\n',
    'a.test.mjs':
      "import test from 'node:test';\nimport { two } from './a.mjs';\ntest('two', () => { two(true); });\n",
  });
  const prompt = await readFile(
    new URL('../../plugins/built-in-roles/src/prompts/verifier-generate.md', import.meta.url),
    'utf8',
  );
  const command = /node:test: `(mkdir [^`]+)`/.exec(prompt)![1]!.replace('FILES', 'a.test.mjs');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  execFileSync('sh', ['-c', command], { cwd: root, env });
  const lcov = await readFile(join(root, 'coverage/lcov.info'), 'utf8');
  const repo = await openRepository(root, join(root, '.dure', 'shadow.git'));
  const { 'a.mjs': lines } = await changedLines(repo, base, head);
  const percent = percentOf(
    readLineCoverage(wrote('coverage/lcov.info', lcov)),
    { 'a.mjs': lines! },
    { top: root, cwd: root },
  );
  // One of the six new lines, `return 0;`, did not run.
  expect(percent).toBe(83.33);
});
