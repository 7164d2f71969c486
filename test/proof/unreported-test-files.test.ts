/** Test files that exit before their tests run, with Node's real runner. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTests } from '../../src/proof/run-tests.ts';

let top: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'dure-unreported-')));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }
});
afterEach(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));

const FILES = {
  'src/exits.mjs': 'process.exit(0);\n',
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/good.test.mjs':
    "import test from 'node:test';\nimport '../src/sum.mjs';\ntest('one', () => {});\ntest('two', () => {});\n",
  'test/at-import.test.mjs':
    "import test from 'node:test';\nimport '../src/exits.mjs';\ntest('one', () => {});\ntest('two', () => { throw new Error('fails'); });\n",
  'test/in-a-test.test.mjs':
    "import { describe, it } from 'node:test';\ndescribe('a suite', () => {\n  it('one', () => {});\n  it('two', () => process.exit(0));\n  it('three', () => { throw new Error('fails'); });\n});\n",
  'test/fails.test.mjs':
    "import test from 'node:test';\ntest('fails', () => { throw new Error('fails'); });\n",
  'test/helpers.mjs': 'export const help = () => {};\n',
  'test/titles.test.mjs':
    "import test from 'node:test';\nfor (const file of ['lib/a.js', 'lib/b.js']) test(file, () => {});\n",
};

const REPORTS = [
  ['TAP', '--test-reporter=tap'],
  ['its summary for people', '--test-reporter=spec'],
  ['JUnit', '--test-reporter=junit'],
  ['JUnit in a file', '--test-reporter=junit --test-reporter-destination=report.xml'],
] as const;

async function run(command: string, tests: readonly (keyof typeof FILES)[]) {
  const { proof } = await runTests({
    config: {
      test_framework: 'custom',
      test_command: command,
      test_directory: 'verifier/tests',
      timeout_ms: 60_000,
      coverage: false,
    },
    place: { top, cwd: top, bin: [], tools: process.env['PATH']!.split(':'), variables: {} },
    tests,
    env: process.env,
    sandbox: { kind: 'none', why: 'a test' },
    confinement: { writable: [], readable: [], network: false },
    signal: new AbortController().signal,
  });
  return proof;
}

describe.each(REPORTS)('node --test with %s', (_, reporter) => {
  it.each(['at-import', 'in-a-test'])('counts as could-not-run when a file exits early: %s', async name => {
    const file = `test/${name}.test.mjs` as keyof typeof FILES;
    const proof = await run(`node --test ${reporter} ${file}`, [file]);
    expect(proof).toMatchObject({
      exit_code: 0,
      machine: 'could-not-run',
      problem: `${file} ended before its tests had run`,
      test_results: { total: 0, passed: 0 },
    });
  });

  it('counts as could-not-run when a file exits early, even next to one that passes', async () => {
    const files = ['test/good.test.mjs', 'test/at-import.test.mjs'] as const;
    const proof = await run(`node --test ${reporter} ${files.join(' ')}`, files);
    expect(proof).toMatchObject({ machine: 'could-not-run', test_results: { total: 2, passed: 2 } });
  });

  it('counts as failed when a file exits early and a test in another file fails', async () => {
    const files = ['test/fails.test.mjs', 'test/at-import.test.mjs'] as const;
    expect(await run(`node --test ${reporter} ${files.join(' ')}`, files)).toMatchObject({ machine: 'fail' });
  });

  it('does not count a file without tests as a test, but counts tests whose titles look like file names', async () => {
    const helper = await run(`node --test ${reporter} test/helpers.mjs`, ['test/helpers.mjs']);
    expect(helper).toMatchObject({ machine: 'could-not-run', problem: 'no tests ran' });
    const files = ['test/good.test.mjs', 'test/helpers.mjs', 'test/titles.test.mjs'] as const;
    const proof = await run(`node --test ${reporter} ${files.join(' ')}`, files);
    expect(proof).toMatchObject({ machine: 'pass', test_results: { total: 4, passed: 4 } });
  });
});

it('a test file that is run with `node`, without `--test`, counts as could-not-run if it reports nothing', async () => {
  const file = 'test/at-import.test.mjs';
  expect(await run(`node ${file}`, [file])).toMatchObject({
    exit_code: 0,
    machine: 'could-not-run',
    problem: expect.stringContaining('reported nothing'),
  });
  expect(await run('node test/good.test.mjs', ['test/good.test.mjs'])).toMatchObject({
    machine: 'pass',
    test_results: { passed: 2 },
  });
});

it('a report whose destination is /dev/stdout is read', async () => {
  const command =
    'node --test --test-reporter=junit --test-reporter-destination=/dev/stdout test/good.test.mjs';
  expect(await run(command, [])).toMatchObject({
    exit_code: 0,
    machine: 'pass',
    test_results: { passed: 2 },
  });
});
