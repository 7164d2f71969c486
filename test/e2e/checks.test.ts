/** The project's own checks in whole runs: how they stop a breaking change and let a correct one pass. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import { checksOutputFile } from '../../src/formats/check-results.ts';
import { evidenceFile } from '../../src/formats/evidence.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { cassette, flag } from './agent-moves.ts';
import { scratchProject, type TestRun } from './scratch-project.ts';

const SUM = 'exports.sum = (a, b) => a + b;\n';
const BROKEN = 'exports.sum = (a, b) => a - b;\n';
const TESTS = `const test = require('node:test');
const assert = require('node:assert');
const { sum } = require('../sum.js');
test('sum adds', () => assert.strictEqual(sum(1, 2), 3));
test('sum is a function', () => assert.strictEqual(typeof sum, 'function'));
`;
const FILES = {
  'package.json': '{ "name": "p", "scripts": { "test": "node --test test/" } }\n',
  'sum.js': SUM,
  'test/sum.test.js': TESTS,
};
const CHECKS = [{ name: 'test', command: 'npm test' }];

const checked = (files: Record<string, string> = FILES) =>
  scratchProject({ files, config: { global: { checks: CHECKS, max_iterations: 2 } } });

/** Builds what the Verifier's test requires, plus other changes. */
const builds = (files: Record<string, string>): Move[] => [
  ...Object.entries({ 'greeting.txt': 'hello\n', ...files }).map(([path, text]) => ({
    write: `builder/output/${path}`,
    text,
  })),
  { write: 'builder/log.md', text: 'Wrote it.\n' },
  flag('builder/done.flag'),
];

const verdictsOf = async (run: TestRun) =>
  (await run.events()).flatMap(event => (event.type === 'verdict.given' ? [event.verdict] : []));
const summaryOf = (run: TestRun) => readFile(run.files.summary, 'utf8');

test('a correct change passes; the pack lists the results of the checks, and later prompts name their file', async () => {
  const { start } = await checked();
  const run = await start(cassette({ builder: [builds({})] }));
  const end = await run.drive();
  expect(end.phase).toBe('ready_for_merge');
  expect(await verdictsOf(run)).toEqual(['PASS']);
  expect(end.checks?.checks).toMatchObject([
    { name: 'test', status: 'pass', counts: { passed: 2, failed: 0 }, base: null, regressions: [] },
  ]);
  expect(await load(checksOutputFile, run.files.checks)).toMatchObject({ tree: end.mrp?.tree });
  expect(await load(evidenceFile, run.files.evidence)).toMatchObject({ checks: [{ status: 'pass' }] });
  expect(await summaryOf(run)).toContain(
    '| `test` | `npm test` | 600 s | passed | 2 passed, 0 failed, 0 skipped |',
  );
  for (const role of ['verifier', 'gatekeeper'])
    expect(await run.prompt(role)).toContain('verifier/checks.json');
});

test("a change that breaks an existing test fails, and the Builder is told the test's name", async () => {
  const { start } = await checked();
  const run = await start(
    cassette({ builder: [builds({ 'sum.js': BROKEN }), builds({ 'sum.js': SUM, 'a.txt': 'a' })] }),
  );
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await verdictsOf(run)).toEqual(['FAIL', 'PASS']);
  const lowered = (await run.events()).flatMap(event =>
    event.type === 'verdict.given' ? [event.lowered] : [],
  );
  expect(lowered[0]).toContain('in the check test, 1 test that passes on base regressed: sum adds fails');
  const prompt = await run.prompt('builder');
  expect(prompt).toContain('sum adds fails');
  expect(prompt).toContain('verifier/checks.json');
});

test('a change that breaks something and deletes its test does not pass', async () => {
  const { start } = await checked();
  const without = TESTS.replace(/test\('sum adds'.*\n/, '');
  const run = await start(cassette({ builder: [builds({ 'sum.js': BROKEN, 'test/sum.test.js': without })] }));
  const end = await run.drive();
  expect(end.phase).toBe('waiting_human');
  expect(await verdictsOf(run)).not.toContain('PASS');
  expect(end.checks?.checks[0]?.regressions).toEqual([{ test: 'sum adds', how: 'missing' }]);
});

test('a pack opens with a warning if the change breaks something and edits its test', async () => {
  const { start } = await checked();
  const edited = TESTS.replace('sum(1, 2), 3', 'sum(1, 2), -1');
  const run = await start(cassette({ builder: [builds({ 'sum.js': BROKEN, 'test/sum.test.js': edited })] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const summary = await summaryOf(run);
  const warning = summary.indexOf('these tests from base fail on the result');
  expect(warning).toBeGreaterThan(0);
  expect(warning).toBeLessThan(summary.indexOf('- Run:'));
  expect(summary).toContain('- `sum adds` of `test`: fails');
});

test('a correct change passes even if a suite fails on base', async () => {
  const red = `${TESTS}test('known', () => assert.fail('always'));\n`;
  const { start } = await checked({ ...FILES, 'test/sum.test.js': red });
  const run = await start(cassette({ builder: [builds({})] }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await verdictsOf(run)).toEqual(['PASS']);
  expect(await summaryOf(run)).toContain('fails on base too');
});

test('a checks.json forged by an agent is ignored', async () => {
  const { start } = await checked();
  const forged: Move = { json: 'verifier/checks.json', value: { checks: [] } };
  const run = await start(
    cassette({
      builder: [builds({ 'sum.js': BROKEN })],
      'verifier:analyse': [
        [forged, { json: 'verifier/results.json', value: {} }, flag('verifier/done.flag')],
      ],
    }),
  );
  const end = await run.drive();
  expect(await verdictsOf(run)).not.toContain('PASS');
  expect(end.phase).toBe('waiting_human');
});
