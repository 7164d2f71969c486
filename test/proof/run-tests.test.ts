import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestConfig } from '../../src/formats/test-config-and-results.ts';
import { runTests, TEST_LIMITS } from '../../src/proof/run-tests.ts';

const NODE_MODULES = new URL('../../node_modules', import.meta.url).pathname;
const PLAIN = {
  tests: [],
  sandbox: { kind: 'none', why: 'a test' },
  confinement: { writable: [], readable: [], network: false },
} as const;
const never = new AbortController().signal;
/** Long enough for a command to begin on a machine that stalls for seconds. */
const LIMIT_MS = 15_000;

let project: string;
let cwd: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'dure-prove-'));
  cwd = join(project, 'checkout');
  await mkdir(cwd);
});
afterEach(() => rm(project, { recursive: true, force: true, maxRetries: 20 }));

const config = (test_command: string, changes: Partial<TestConfig> = {}): TestConfig => ({
  test_framework: 'custom',
  test_command,
  test_directory: '.',
  timeout_ms: 60_000,
  coverage: false,
  ...changes,
});
const run = (test_command: string, changes: Partial<TestConfig> = {}, env: NodeJS.ProcessEnv = process.env) =>
  runTests({ config: config(test_command, changes), place: place(), env, signal: never, ...PLAIN });
const place = () => ({ top: cwd, cwd, bin: [], tools: process.env['PATH']!.split(':'), variables: {} });
const put = async (path: string, text: string) => {
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await writeFile(join(cwd, path), text);
};

/** False for a process that has ended or is a zombie. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^\d+ \(.*\) Z /s.test(stat);
}
const pidsIn = async (file: string) =>
  (await readFile(join(cwd, file), 'utf8')).trim().split(/\s+/).map(Number);

const report = (passed: number, failed: number, name = 'a test') =>
  JSON.stringify({
    numTotalTests: passed + failed,
    numPassedTests: passed,
    numFailedTests: failed,
    testResults: [
      {
        name: 'a.test.js',
        status: 'passed',
        assertionResults: [{ title: name, status: failed ? 'failed' : 'passed' }],
      },
    ],
  });

describe('a proof', () => {
  it('runs the command in the checkout and counts its tests', async () => {
    await put('src/sum.mjs', 'export const sum = (a, b) => a + b;\n');
    await put(
      'test/sum.test.mjs',
      `import test from 'node:test';
       import assert from 'node:assert';
       import { sum } from '../src/sum.mjs';
       test('adds', () => assert.equal(sum(1, 2), 3));
       test('adds wrongly', () => assert.equal(sum(1, 2), 4));
       test('waits', { skip: true }, () => {});`,
    );
    const { proof } = await run('node --test test/sum.test.mjs');
    expect(proof).toMatchObject({
      exit_code: 1,
      machine: 'fail',
      test_results: { total: 3, passed: 1, failed: 1, skipped: 1 },
      failures: ['adds wrongly'],
      command: 'node --test test/sum.test.mjs',
    });
  });

  it('puts programs from the checkout first on PATH, and reads their report file', async () => {
    await symlink(NODE_MODULES, join(cwd, 'node_modules'));
    await put('src/sum.js', 'export const sum = (a, b) => a + b;\n');
    await put(
      'test/sum.test.js',
      `import { expect, it } from 'vitest';
       import { sum } from '../src/sum.js';
       it('adds', () => expect(sum(1, 2)).toBe(3));`,
    );
    const { proof } = await run('vitest run --reporter=json --outputFile=report.json', {
      test_framework: 'vitest',
    });
    expect(proof).toMatchObject({
      exit_code: 0,
      machine: 'pass',
      test_results: { total: 1, passed: 1, failed: 0, skipped: 0 },
    });
  });

  it('ignores a report file that is older than the test run', async () => {
    await put('report.json', report(9, 0));
    await put('junit.xml', '<testsuite><testcase name="a"/></testsuite>');
    const { proof } = await run('true --outputFile=report.json', { test_framework: 'jest' });
    expect(proof.machine).toBe('could-not-run');
    expect(proof).not.toHaveProperty('test_results');
  });

  describe('of failing tests', () => {
    const script = 'echo "2 failed, 3 passed"; exit 1\n';
    const hidden = { machine: 'could-not-run', problem: expect.stringContaining('exit code') };

    it.each([
      'sh t.sh 2>&1 | tail -20',
      'sh t.sh || true',
      'sh t.sh; echo done',
      'set -x\nsh t.sh\ncat t.sh',
    ])('does not pass when the command hides their exit code: %j', async command => {
      await put('t.sh', script);
      const { proof } = await run(command);
      expect(proof).toMatchObject({ exit_code: 0, ...hidden });
      expect(proof).not.toHaveProperty('test_results');
    });

    it.each(['sh t.sh', 'cd . && sh t.sh 2>&1', 'set -e; sh t.sh; echo done'])(
      'fails when the command does not hide their exit code: %j',
      async command => {
        await put('t.sh', script);
        expect((await run(command)).proof).toMatchObject({ exit_code: 1, machine: 'fail' });
      },
    );

    it.each([
      ['a summary of mocha', '  0 passing (2ms)\n  1 failing\n'],
      ['the end of a summary of mocha', '  1 failing\n'],
      ['TAP', 'TAP version 13\nnot ok 1 - a\n1..1\n'],
      ['JUnit', '<testsuite><testcase name="a"><failure/></testcase></testsuite>'],
    ])('fails when %s reports a failure next to a passing JSON report', async (_, told) => {
      await put('told.txt', told);
      await put('passes.json', report(1, 0));
      for (const command of [
        'cat told.txt passes.json',
        'cat told.txt >&2; cat passes.json',
        'cat told.txt; cp passes.json report.json # --outputFile=report.json',
      ]) {
        const { proof } = await run(command, { test_framework: 'mocha' });
        expect(proof, command).toMatchObject({ machine: 'fail', test_results: { failed: 1 } });
      }
    });
  });

  it('reports that a command was not found', async () => {
    const { proof } = await run('no-such-command-here', { test_framework: 'jest' });
    expect(proof).toMatchObject({ exit_code: 127, machine: 'could-not-run', failures: [] });
    expect(proof.problem).toContain('not found');
    expect(proof.stderr).toContain('no-such-command-here');
  });

  it('reports that the command could not be started when its folder is missing', async () => {
    await rm(cwd, { recursive: true });
    const { proof } = await run('true');
    expect(proof).toMatchObject({ exit_code: null, machine: 'could-not-run' });
    expect(proof.problem).toContain('could not be started');
  });

  it('does not pass when the command ran no tests', async () => {
    const { proof } = await run('node --test');
    expect(proof).toMatchObject({ exit_code: 0, machine: 'could-not-run', problem: 'no tests ran' });
    const empty = await run(`echo '${report(0, 0)}'`, { test_framework: 'vitest' });
    expect(empty.proof).toMatchObject({ machine: 'could-not-run', problem: 'no tests ran' });
  });

  it('finds a report in the mixed output of both streams', async () => {
    await put('report.txt', report(3, 1, 'the broken one'));
    const { proof } = await run(
      'echo "> run {"; echo "npm warn" >&2; cat report.txt; echo; echo "} done"; exit 1',
      {
        test_framework: 'vitest',
      },
    );
    expect(proof).toMatchObject({ machine: 'fail', failures: ['the broken one'] });
  });

  it('reads a report that is larger than the stored output', async () => {
    await put('report.txt', report(3, 1, 'x'.repeat(3_000_000)));
    const { proof } = await run('echo first; cat report.txt; exit 1', { test_framework: 'vitest' });
    expect(proof).toMatchObject({ machine: 'fail', test_results: { total: 4 } });
    expect(Buffer.byteLength(proof.stdout)).toBe(TEST_LIMITS.tail_bytes);
    expect(proof.failures[0]).toHaveLength(300);
  });

  it('keeps only the head and tail of 100 MB of output, and still finds the report at the end', async () => {
    await put('report.txt', report(2, 0));
    const { proof, log } = await run(
      'echo BEGIN; head -c 100000000 /dev/zero | tr "\\0" x; echo; cat report.txt; echo; echo END',
      { test_framework: 'vitest' },
    );
    expect(proof).toMatchObject({ exit_code: 0, machine: 'pass', test_results: { passed: 2 } });
    expect(Buffer.byteLength(proof.stdout)).toBeLessThanOrEqual(TEST_LIMITS.tail_bytes);
    expect(proof.stdout).toMatch(/END\n$/);
    expect(log.length).toBeLessThan(TEST_LIMITS.log_bytes + 1000);
    expect(log).toMatch(/^BEGIN\n/);
    expect(log).toMatch(/\n\[… 8\d{7} bytes omitted …\]\n/);
    expect(log).toMatch(/END\n$/);
  });

  it('reports that the report itself exceeded the limit', async () => {
    await put('report.txt', report(2, 1, 'x'.repeat(50_000)));
    const { proof } = await runTests({
      config: config('cat report.txt', { test_framework: 'vitest' }),
      place: place(),
      env: process.env,
      ...PLAIN,
      limits: { ...TEST_LIMITS, log_bytes: 20_000 },
      signal: never,
    });
    expect(proof.machine).toBe('could-not-run');
    expect(proof.problem).toMatch(/; \d+ bytes of its output exceeded the limit and were dropped$/);
  });

  it('kills processes that exceed the time limit, even a child that ignores SIGTERM', async () => {
    await put('stubborn.sh', 'trap "" TERM\necho $$ >> pids\necho ready\nwhile :; do sleep 0.1; done\n');
    const { proof } = await run('sh stubborn.sh & sh stubborn.sh', { timeout_ms: LIMIT_MS });
    expect(proof).toMatchObject({ exit_code: null, machine: 'could-not-run' });
    expect(proof.problem).toContain('time limit');
    expect(proof.stdout).toBe('ready\nready\n');
    const pids = await pidsIn('pids');
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });

  it('gives the command time to clean up after SIGTERM', async () => {
    const { proof } = await runTests({
      config: config('trap "sleep 0.3; echo cleaned; exit 0" TERM; echo up; while :; do sleep 0.1; done', {
        timeout_ms: LIMIT_MS,
      }),
      place: place(),
      env: process.env,
      ...PLAIN,
      limits: { ...TEST_LIMITS, grace_ms: 60_000 },
      signal: never,
    });
    expect(proof.stdout).toBe('up\ncleaned\n');
    expect(proof).toMatchObject({ exit_code: null, machine: 'could-not-run' });
  });

  it('reports which signal killed the command', async () => {
    const { proof } = await run('kill -SEGV $$');
    expect(proof).toMatchObject({ exit_code: null, machine: 'could-not-run' });
    expect(proof.problem).toContain('SIGSEGV');
  });

  it('leaves no process behind', async () => {
    const { proof } = await run('sleep 1000 & echo $! > pids; (sleep 1000 & echo $! >> pids); echo done');
    expect(proof).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    for (const pid of await pidsIn('pids')) expect(await isAlive(pid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('kills processes that have left their process group', async () => {
    const { proof } = await run(
      "setsid sh -c 'echo $$ > pids; exec sleep 1000' & while ! test -s pids; do sleep 0.1; done",
    );
    expect(proof.exit_code).toBe(0);
    for (const pid of await pidsIn('pids')) expect(await isAlive(pid)).toBe(false);
  });

  it('passes on only the environment variables that tests need', async () => {
    const env = {
      PATH: process.env['PATH'],
      HOME: '/home/someone',
      JAVA_HOME: '/opt/java',
      LANG: 'C.UTF-8',
      API_KEY: 'a secret',
    };
    const { proof } = await run('env && test -d "$TMPDIR" && test -w "$TMPDIR"', {}, env);
    expect(proof.machine).toBe('pass');
    const seen = new Map(
      proof.stdout
        .trim()
        .split('\n')
        .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    );
    // The shell itself adds a few.
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) seen.delete(name);
    expect([...seen.keys()].sort()).toEqual(
      ['CI', 'HOME', 'JAVA_HOME', 'LANG', 'NO_COLOR', 'PATH', 'PYTEST_ADDOPTS', 'TERM', 'TMPDIR'].sort(),
    );
    expect(Object.fromEntries(seen)).toMatchObject({
      CI: 'true',
      JAVA_HOME: '/opt/java',
      TERM: 'dumb',
    });
    const path = seen.get('PATH')!.split(':');
    expect(path.slice(0, 2)).toEqual([join(cwd, 'node_modules/.bin'), join(cwd, '.venv/bin')]);
    expect(path.slice(2)).toEqual([...new Set(place().tools)]);
    expect(seen.get('HOME')).not.toBe('/home/someone');
    for (const name of ['HOME', 'TMPDIR']) expect(existsSync(seen.get(name)!)).toBe(false);
  });

  it('runs the command with an empty stdin', async () => {
    const { proof } = await run('wc -c; if read line; then echo got; else echo nothing; fi');
    expect(proof.stdout.trim()).toMatch(/^0\s+nothing$/);
  });

  it('reads the coverage that was reported', async () => {
    await put('summary.json', '{"total": {"lines": {"total": 8, "covered": 7, "skipped": 0, "pct": 87.5}}}');
    const { proof } = await run('mkdir coverage && cp summary.json coverage/coverage-summary.json');
    expect(proof).toMatchObject({ machine: 'pass', coverage: 87.5 });
  });

  it('has no result if it is aborted, and leaves nothing behind', async () => {
    const off = new AbortController();
    const trial = runTests({
      config: config('echo $$ > pids; echo $TMPDIR > folder; echo ready; sleep 1000'),
      place: place(),
      env: process.env,
      ...PLAIN,
      signal: off.signal,
      echo: () => off.abort(new Error('the person stopped the run')),
    });
    await expect(trial).rejects.toThrow('the person stopped the run');
    for (const pid of await pidsIn('pids')) expect(await isAlive(pid)).toBe(false);
    expect(existsSync((await readFile(join(cwd, 'folder'), 'utf8')).trim())).toBe(false);
  });
});
