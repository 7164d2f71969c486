import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, said } from './checked.ts';

const SUM = 'exports.sum = (a, b) => a + b;\nexports.twice = a => a * 2;\n';
const BROKEN = SUM.replace('a + b', 'a - b');
const TESTS = `const test = require('node:test');
const assert = require('node:assert');
const { sum, twice } = require('../sum.js');
test('sum adds', () => assert.strictEqual(sum(1, 2), 3));
test('twice doubles', () => assert.strictEqual(twice(4), 8));
`;
const PROJECT = {
  'package.json': '{ "name": "p", "scripts": { "test": "node --test test/" } }\n',
  'sum.js': SUM,
  'test/sum.test.js': TESTS,
};
const NPM = [{ name: 'test', command: 'npm test' }];
const NODE = [{ name: 'test', command: 'node --test test/' }];
const PASSED = { status: 'pass', regressions: [], overridden: [], flaky: [] };

describe("the project's own checks", () => {
  it('pass an honest change without a look at base', async () => {
    const { check, state } = await repository(PROJECT);
    const { output } = await check({ 'sum.js': `${SUM}exports.half = a => a / 2;\n` }, NPM);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: null }]);
    expect(output.checks[0]!.counts).toEqual({ total: 2, passed: 2, failed: 0, skipped: 0 });
    expect(await readdir(join(state, 'checkouts'))).toEqual([]);
  });

  it('name the test of base that a change breaks', async () => {
    const { check } = await repository(PROJECT);
    const { output, log } = await check({ 'sum.js': BROKEN }, NODE);
    expect(output.checks.map(said)).toEqual([
      { status: 'regression', regressions: ['sum adds fails'], overridden: [], flaky: [], base: 'pass' },
    ]);
    expect(log).toContain('── test, on base ──');
  });

  it('pass a change that adds tests to a file of base, which is looked at as it was too', async () => {
    const { check } = await repository(PROJECT);
    const more = `${TESTS}test('zero', () => assert.strictEqual(sum(0, 0), 0));\n`;
    const { output } = await check({ 'test/sum.test.js': more }, NODE);
    expect(output.changed).toEqual(['test/sum.test.js']);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: 'pass' }]);
  });

  it.each([
    ['edits', TESTS.replace('sum(1, 2), 3', 'sum(1, 2), -1')],
    ['skips', TESTS.replace("test('sum adds'", "test.skip('sum adds'")],
    ['deletes', TESTS.replace(/test\('sum adds'.*\n/, '')],
  ])('say so when who breaks something %s the test that holds it', async (how, tests) => {
    const { check } = await repository(PROJECT);
    const { output } = await check({ 'sum.js': BROKEN, 'test/sum.test.js': tests }, NODE);
    const [result] = output.checks.map(said);
    if (how === 'edits') expect(result).toMatchObject({ status: 'pass', overridden: ['sum adds fails'] });
    else
      expect(result).toMatchObject({
        status: 'regression',
        regressions: [expect.stringContaining('sum adds')],
      });
  });

  it('say so when the file of the test is removed, or the script tests nothing any more', async () => {
    const { check } = await repository({
      ...PROJECT,
      'test/other.test.js': "require('node:test')('other', () => {});\n",
    });
    const removed = await check({ 'sum.js': BROKEN, 'test/sum.test.js': null }, NPM);
    expect(said(removed.output.checks[0]!)).toMatchObject({
      status: 'regression',
      regressions: ['sum adds missing'],
    });
    const silent = { 'package.json': PROJECT['package.json'].replace('node --test test/', 'exit 0') };
    const emptied = await check({ 'sum.js': BROKEN, ...silent }, NPM);
    expect(emptied.output.changed).toEqual(['package.json']);
    expect(said(emptied.output.checks[0]!)).toMatchObject({
      status: 'regression',
      regressions: ['* missing'],
      overridden: ['sum adds fails'],
    });
  });

  it('pass a renamed test that still holds', async () => {
    const { check } = await repository(PROJECT);
    const { output } = await check({ 'test/sum.test.js': TESTS.replace('sum adds', 'adds numbers') }, NODE);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: 'pass' }]);
  });

  it('compare a suite that is red on base test by test', async () => {
    const red = `${TESTS}test('known', () => assert.fail('always'));\n`;
    const { check } = await repository({ ...PROJECT, 'test/sum.test.js': red });
    const fine = await check({ 'readme.md': 'text\n' }, NODE);
    expect(fine.output.checks.map(said)).toEqual([{ ...PASSED, status: 'red-on-base', base: 'fail' }]);
    const broken = await check({ 'sum.js': BROKEN }, NODE);
    expect(said(broken.output.checks[0]!)).toMatchObject({
      status: 'regression',
      regressions: ['sum adds fails'],
    });
  });

  it('see a process that ends well before its tests have run', async () => {
    const { check } = await repository(PROJECT);
    const { output } = await check({ 'sum.js': `process.exit(0);\n` }, NODE);
    expect(said(output.checks[0]!)).toMatchObject({ status: 'regression' });
  });

  it('name a flaky test and hold it against nobody', async () => {
    const { check, top } = await repository(PROJECT);
    const once = join(top, 'ran-before');
    const flaky = `const fs = require('node:fs');
const ran = fs.existsSync('${once}');
fs.writeFileSync('${once}', '');
exports.sum = (a, b) => (ran ? a + b : 0);
exports.twice = a => a * 2;
`;
    // What one run leaves for the next would be gone with a sandbox.
    const { output } = await check({ 'sum.js': flaky }, NODE, { DURE_SANDBOX: 'none' });
    expect(output.checks.map(said)).toEqual([{ ...PASSED, flaky: ['sum adds'], base: 'pass' }]);
  });

  it('go by the exit code of what names no tests', async () => {
    const { check } = await repository({ 'a.txt': 'fine\n' });
    const lint = [{ name: 'lint', command: 'grep -q fine a.txt' }];
    expect(said((await check({ 'b.txt': 'b' }, lint)).output.checks[0]!)).toEqual({ ...PASSED, base: null });
    expect(said((await check({ 'a.txt': 'bad\n' }, lint)).output.checks[0]!)).toMatchObject({
      status: 'regression',
      regressions: ['* fails'],
      base: 'pass',
    });
    const red = [{ name: 'lint', command: 'grep -q never a.txt' }];
    expect(said((await check({ 'a.txt': 'bad\n' }, red)).output.checks[0]!)).toMatchObject({
      status: 'red-on-base',
      base: 'fail',
    });
  });

  it('hold no limit of coverage against a result: tests of new code are not there', async () => {
    const limit = `const { readFileSync } = require('node:fs');
if (readFileSync('sum.js', 'utf8').includes('half')) {
  console.error('ERROR: Coverage for lines (66.6%) does not meet global threshold (100%)');
  process.exit(1);
}
`;
    const { check } = await repository({
      ...PROJECT,
      'package.json': '{ "name": "p", "scripts": { "test": "node --test test/ && node limit.js" } }\n',
      'limit.js': limit,
    });
    const HALF = 'exports.half = a => a / 2;\n';
    const honest = await check({ 'sum.js': `${SUM}${HALF}` }, NPM);
    expect(honest.output.checks.map(said)).toEqual([{ ...PASSED, base: 'pass' }]);
    const breaking = await check({ 'sum.js': `${BROKEN}${HALF}` }, NPM);
    expect(breaking.output.checks.map(said)).toMatchObject([
      { status: 'regression', regressions: ['sum adds fails'] },
    ]);
  });

  it('never pass beyond their time limit, and say it', async () => {
    const { check } = await repository({ 'wait.sh': 'exit 0\n' });
    const { output } = await check({ 'wait.sh': 'sleep 60\n' }, [
      { command: 'sh wait.sh', timeout_ms: 1000 },
    ]);
    expect(output.checks[0]).toMatchObject({
      status: 'regression',
      problem: 'it did not end within its time limit of 1 s',
    });
  });

  it('say when they can be run neither here nor on base', async () => {
    const { check } = await repository({ 'a.txt': 'a\n' });
    const { output } = await check({ 'a.txt': 'b\n' }, [{ command: 'no-such-program' }]);
    expect(output.checks[0]).toMatchObject({
      status: 'could-not-run',
      problem: 'a command was not found (exit code 127)',
    });
  });

  it('run base once for all results', async () => {
    const { check } = await repository(PROJECT);
    await check({ 'sum.js': BROKEN }, NODE);
    const { log, output } = await check({ 'sum.js': 'exports.sum = () => 0;\n' }, NODE);
    expect(said(output.checks[0]!)).toMatchObject({ status: 'regression', base: 'pass' });
    expect(log).not.toContain('on base ──');
  });
});
