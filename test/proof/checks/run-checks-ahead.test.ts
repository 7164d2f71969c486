import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, said } from './checked-repository.ts';

/** A file outside the checkout simulates machine load; a sandbox would hide it. */
const OPEN = { DURE_SANDBOX: 'none' };

/** Runs `node --test`, and notes each execution in `ran`. */
async function project() {
  const repo = await repository({
    'sum.js': 'exports.sum = (a, b) => a + b;\n',
    'test/sum.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { existsSync } = require('node:fs');
test('sum adds', () => assert.strictEqual(require('../sum.js').sum(1, 2), 3));
test('is quick', () => assert(!existsSync(process.env.LOADED)));
`,
  });
  const loaded = join(repo.top, 'loaded');
  const ran = join(repo.top, 'ran');
  await writeFile(ran, '');
  const checks = [{ name: 'test', command: `echo "$PWD" >> '${ran}'; LOADED='${loaded}' node --test test/` }];
  return {
    ...repo,
    checks,
    loaded,
    /** Number of executions so far. */
    runs: async () => (await readFile(ran, 'utf8')).trim().split('\n').filter(Boolean).length,
  };
}
const FINE = { 'sum.js': 'exports.sum = (a, b) => b + a;\n' };
const BROKEN = { 'sum.js': 'exports.sum = (a, b) => a - b;\n' };

describe('checks that ran ahead of the checks step', () => {
  it('are not executed again by the checks step, and are in its log', async () => {
    const { ahead, check, checks, runs } = await project();
    await ahead(FINE, checks, OPEN);
    expect(await runs()).toBe(1);
    const { output, log } = await check(FINE, checks, OPEN);
    expect(await runs()).toBe(1);
    expect(output.checks.map(said)).toMatchObject([{ status: 'pass', base: null }]);
    expect(output.checks[0]!.counts).toMatchObject({ passed: 2 });
    expect(output.checks[0]!.duration_ms).toBeGreaterThan(0);
    expect(log).toMatch(/── test, on the result ──[\s\S]*sum adds[\s\S]*\(executed earlier\)/);
  });

  it('do not prevent a breaking change from failing, and the step still confirms the failure', async () => {
    const { ahead, check, checks, runs } = await project();
    await ahead(BROKEN, checks, OPEN);
    // On the result and on base.
    expect(await runs()).toBe(2);
    const { output } = await check(BROKEN, checks, OPEN);
    expect(await runs()).toBe(4);
    expect(output.checks.map(said)).toMatchObject([
      { status: 'regression', regressions: ['sum adds fails'] },
    ]);
  });

  it('are ignored if they failed because the machine was busy', async () => {
    const { ahead, check, checks, loaded } = await project();
    await writeFile(loaded, '');
    await ahead(FINE, checks, OPEN);
    // Base failed as well. If that failure were cached, it would excuse the same failure on any result.
    await rm(loaded);
    const { output } = await check(FINE, checks, OPEN);
    expect(output.checks.map(said)).toMatchObject([
      { status: 'pass', regressions: [], base: 'pass', flaky: ['is quick'] },
    ]);
  });

  it('are used only for the same tree and command', async () => {
    const { ahead, check, checks, runs } = await project();
    await ahead(FINE, checks, OPEN);
    await check(BROKEN, checks, OPEN);
    const before = await runs();
    await check(FINE, [{ ...checks[0]!, command: `${checks[0]!.command} ` }], OPEN);
    expect(await runs()).toBe(before + 1);
  });
});
