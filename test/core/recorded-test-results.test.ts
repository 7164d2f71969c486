import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordedTestCases, recordedTestOutput } from '../../src/core/run/record/recorded-test-results.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { TestCases } from '../../src/formats/test-cases.ts';
import type { TestOutput } from '../../src/formats/test-config-and-results.ts';
import { NOW, sampleState } from '../helpers/sample-values.ts';

const [TREE, TESTS, OTHER] = ['b', 'c', 'd'].map(digit => digit.repeat(40)) as [string, string, string];
const ran = { tree: TREE, tests_tree: TESTS, machine: 'fail' } as const;
const counts = { total: 2, passed: 1, failed: 1, skipped: 0 };
const recorded = sampleState(undefined, {
  sealed: { build: { commit: OTHER, tree: TREE } },
  tests: { ...ran, ...counts, exit_code: 1, coverage: null },
});
const output: TestOutput = {
  ...ran,
  exit_code: 1,
  stdout: '',
  stderr: '',
  duration_ms: 1,
  executed_at: NOW,
  test_results: counts,
  failures: ['limits'],
  command: 'npm test',
};
const cases: TestCases = { ...ran, side: 'head', ended: true, cases: [] };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-recorded-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it.each<[string, Partial<TestOutput>]>([
  ['another tree', { tree: OTHER }],
  ['other tests', { tests_tree: OTHER }],
  ['another result', { machine: 'pass' }],
])('recorded test results with %s are ignored', async (_, change) => {
  const files = runFiles(dir);
  await replaceJson(files.testOutput, { ...output, ...change });
  await replaceJson(files.testCases, { ...cases, ...change });
  expect(await recordedTestOutput(files, recorded)).toBeNull();
  expect(await recordedTestCases(files, recorded)).toBeNull();
});

it('recorded test results are used only if everything in them matches the log', async () => {
  const files = runFiles(dir);
  await replaceJson(files.testOutput, output);
  await replaceJson(files.testCases, cases);
  expect(await recordedTestOutput(files, recorded)).toEqual(output);
  expect(await recordedTestCases(files, recorded)).toEqual(cases);
  const rebuilt = { ...recorded, sealed: { build: { commit: OTHER, tree: OTHER } } };
  expect(await recordedTestOutput(files, rebuilt)).toBeNull();
  await replaceJson(files.testOutput, { ...output, test_results: { ...counts, failed: 0 } });
  await replaceJson(files.testCases, { ...cases, side: 'base' });
  expect(await recordedTestOutput(files, recorded)).toBeNull();
  expect(await recordedTestCases(files, recorded)).toBeNull();
});
