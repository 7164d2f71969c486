import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBelowCoverageThreshold } from '../../../src/proof/checks/below-coverage-threshold.ts';
import { endsWithTests } from '../../../src/proof/checks/command-ends-with-tests.ts';
import { programsOf } from '../../../src/proof/checks/command-programs.ts';
import { repository, said } from './checked-repository.ts';

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
const noPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0;
const noCargo = spawnSync('cargo', ['--version']).status !== 0;
const noGo = spawnSync('go', ['version']).status !== 0;
const NPM = [{ name: 'test', command: 'npm test' }];
const NODE = [{ name: 'test', command: 'node --test test/' }];
const PASSED = { status: 'pass', regressions: [], overridden: [], flaky: [] };

describe("the project's own checks", () => {
  it('pass a correct change without running on base', async () => {
    const { check, state } = await repository(PROJECT);
    const { output } = await check({ 'sum.js': `${SUM}exports.half = a => a / 2;\n` }, NPM);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: null }]);
    expect(output.checks[0]!.counts).toEqual({ total: 2, passed: 2, failed: 0, skipped: 0 });
    expect(await readdir(join(state, 'checkouts'))).toEqual([]);
  });

  it('name the test from base that a change breaks', async () => {
    const { check } = await repository(PROJECT);
    const { output, log } = await check({ 'sum.js': BROKEN }, NODE);
    expect(output.checks.map(said)).toEqual([
      { status: 'regression', regressions: ['sum adds fails'], overridden: [], flaky: [], base: 'pass' },
    ]);
    expect(log).toContain('── test, on base ──');
  });

  it.skipIf(noGo)('show only what `go vet` reports, not the packages it reads', async () => {
    const { check } = await repository({
      'go.mod': 'module example.org/sum\n\ngo 1.19\n',
      'sum.go': 'package sum\n\nimport "fmt"\n\nfunc Sum(a, b int) string { return fmt.Sprint(a + b) }\n',
    });
    const { output, log } = await check({ 'README.md': 'Sums.\n' }, [
      { name: 'lint', command: 'go vet ./...' },
    ]);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: null }]);
    expect(log).not.toMatch(/^fmt$/m);
  });

  it.skipIf(noPytest).each(['python3 -m pytest', 'python3 -m pytest --junitxml=own.xml'])(
    'find, on the result and on base, the tests that pytest runs despite a file that cannot be imported: %s',
    async command => {
      const { check } = await repository({
        'sum.py': 'def add(a, b):\n    return a + b\n',
        'test_sum.py': 'from sum import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
        'test_other.py': 'import a_package_that_is_missing\n',
      });
      const broken = { 'sum.py': 'def add(a, b):\n    return a - b\n' };
      const { output } = await check(broken, [{ name: 'test', command }]);
      expect(said(output.checks[0]!)).toMatchObject({
        status: 'regression',
        regressions: ['pytest > test_sum > test_add fails'],
        base: 'fail',
      });
    },
  );

  it.skipIf(noCargo)(
    'find, on the result and on base, the tests that cargo runs after a file whose tests fail',
    async () => {
      const failing = '#[test]\nfn fails() {\n    assert!(false);\n}\n';
      const { check } = await repository({
        'Cargo.toml': '[package]\nname = "p"\nversion = "1.0.0"\nedition = "2021"\n',
        'src/lib.rs': `pub fn one() -> u8 {\n    1\n}\n\n#[cfg(test)]\n${failing}`,
        'tests/one.rs': '#[test]\nfn one_is_one() {\n    assert_eq!(p::one(), 1);\n}\n',
      });
      const broken = { 'src/lib.rs': `pub fn one() -> u8 {\n    2\n}\n\n#[cfg(test)]\n${failing}` };
      const { output } = await check(broken, [{ name: 'test', command: 'cargo test', timeout_ms: 120_000 }]);
      expect(said(output.checks[0]!)).toMatchObject({
        status: 'regression',
        regressions: [expect.stringContaining('one_is_one fails')],
        base: 'fail',
      });
    },
  );

  it('pass a change that adds tests to a file from base, and also run the base version of that file', async () => {
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
  ])('report the test that a change breaks, even if the change also %s that test', async (how, tests) => {
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

  it('detect a removed test file and a script that no longer runs tests', async () => {
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

  it('accept a renamed test that still passes', async () => {
    const { check } = await repository(PROJECT);
    const { output } = await check({ 'test/sum.test.js': TESTS.replace('sum adds', 'adds numbers') }, NODE);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: 'pass' }]);
  });

  it('compare a suite test by test if it fails on base', async () => {
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

  it('detect a process that exits with 0 before its tests have run', async () => {
    const { check } = await repository(PROJECT);
    const { output } = await check({ 'sum.js': `process.exit(0);\n` }, NODE);
    expect(said(output.checks[0]!)).toMatchObject({ status: 'regression' });
  });

  it('report a flaky test without counting it as a regression', async () => {
    const { check, top } = await repository(PROJECT);
    const once = join(top, 'ran-before');
    const flaky = `const fs = require('node:fs');
const ran = fs.existsSync('${once}');
fs.writeFileSync('${once}', '');
exports.sum = (a, b) => (ran ? a + b : 0);
exports.twice = a => a * 2;
`;
    // A sandbox would remove files that one execution leaves for the next.
    const { output } = await check({ 'sum.js': flaky }, NODE, { DURE_SANDBOX: 'none' });
    expect(output.checks.map(said)).toEqual([{ ...PASSED, flaky: ['sum adds'], base: 'pass' }]);
  });

  it('use the exit code of a command that reports no test names', async () => {
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

  it('ignore a coverage threshold, because the tests of new code are absent', async () => {
    const limit = `const { readFileSync } = require('node:fs');
if (readFileSync('sum.js', 'utf8').includes('half')) {
  console.error('ERROR: Coverage for lines (66.6%) does not meet global threshold (100%)');
  process.exit(1);
}
`;
    const { check } = await repository({
      ...PROJECT,
      'package.json': '{ "name": "p", "scripts": { "test": "sh cover.sh" } }\n',
      'cover.sh': 'node --test test/ && node limit.js\n',
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

  it('do not ignore a failure after the tests just because the result prints that its coverage is too low', async () => {
    const { check } = await repository({
      ...PROJECT,
      'lint.js': "process.exit(require('fs').readFileSync('sum.js', 'utf8').includes('eval') ? 1 : 0);\n",
    });
    const message = 'ERROR: Coverage for lines (50%) does not meet global threshold (80%)';
    const bad = `console.error('${message}');\n${SUM}exports.run = text => eval(text);\n`;
    const { output } = await check({ 'sum.js': bad }, [{ command: 'node --test test/ && node lint.js' }]);
    expect(said(output.checks[0]!)).toMatchObject({ status: 'regression', regressions: ['* fails'] });
  });

  it('never pass after exceeding their time limit, and report that limit', async () => {
    const { check } = await repository({ 'wait.sh': 'exit 0\n' });
    // On base, the check has to end within the same limit, even on a busy machine.
    const { output } = await check({ 'wait.sh': 'sleep 600\n' }, [
      { command: 'sh wait.sh', timeout_ms: 15_000 },
    ]);
    expect(output.checks[0]).toMatchObject({
      status: 'regression',
      problem: 'the command did not end within its time limit of 15 s',
    });
  });

  it('share one set-up when they run on the result', async () => {
    const { check, state } = await repository({ 'a.txt': 'a\n' }, 'echo a set-up && echo ready > ready.txt');
    const { output, log } = await check({ 'b.txt': 'b\n' }, [
      { command: 'grep -q ready ready.txt && echo more > added.txt && mkdir -p cache/deep' },
      { command: 'test ! -e added.txt && test ! -e cache' },
      { command: 'test ! -e added.txt && grep -q a a.txt' },
    ]);
    expect(output.checks.map(each => each.status)).toEqual(['pass', 'pass', 'pass']);
    expect(log.match(/^a set-up$/gm)).toHaveLength(1);
    expect(await readdir(join(state, 'checkouts'))).toEqual([]);
  });

  it.each([
    ['writes to a file of the result', 'echo forged > a.txt'],
    [
      'changes a file but keeps its size and modification time',
      'echo c > a.txt && touch -d @1000000000 a.txt',
    ],
    ['changes a file that the set-up created', 'echo forged >> ready.txt'],
    ['replaces a file with another', 'echo c > new && mv new a.txt'],
    ['removes a file', 'rm ready.txt'],
    ['removes a permission', 'chmod 400 a.txt'],
    ['commits', 'git -c user.name=A -c user.email=a@b commit -q --allow-empty -m more'],
  ])('are not affected by a check that %s', async (_, command) => {
    const { check } = await repository({ 'a.txt': 'a\n' }, 'echo a set-up && echo ready > ready.txt');
    const state = 'stat -c %a a.txt; cat a.txt ready.txt; git log --format=%s';
    const { log } = await check({ 'b.txt': 'b\n' }, [{ command: state }, { command }, { command: state }]);
    const [first = '', , last = ''] = log.split(/^── check-\d, on the result ──$/gm).slice(1);
    const shown = (text: string) => /^\d{3}\n[\s\S]*?(?=\n── pass)/m.exec(text)?.[0].trim();
    expect(shown(first)).toBe('644\na\nready\na commit');
    expect(shown(last)).toBe(shown(first));
    expect(log.match(/^a set-up$/gm)).toHaveLength(2);
  });

  it('ignore the report of a runner that rejected the report options that Dure adds', async () => {
    const oldJest = `const { argv } = process;
const file = argv.find(arg => arg.startsWith('--outputFile='))?.slice('--outputFile='.length);
const rejected = { numTotalTests: 1, numPassedTests: 0, numFailedTests: 1, testResults: [] };
if (file) {
  require('node:fs').writeFileSync(file, JSON.stringify(rejected));
  process.exit(1);
}
`;
    const { check } = await repository({ 'a.txt': 'a\n', 'node_modules/jest.js': oldJest });
    const { output } = await check({ 'a.txt': 'b\n' }, [{ command: 'node node_modules/jest.js' }]);
    expect(output.checks.map(said)).toEqual([{ ...PASSED, base: null }]);
  });

  it('report when they can run neither on the result nor on base', async () => {
    const { check } = await repository({ 'a.txt': 'a\n' });
    const { output } = await check({ 'a.txt': 'b\n' }, [{ command: 'no-such-program' }]);
    expect(output.checks[0]).toMatchObject({
      status: 'could-not-run',
      problem: 'a command was not found (exit code 127)',
    });
  });

  it('run on base only once for all results', async () => {
    const { check } = await repository(PROJECT);
    await check({ 'sum.js': BROKEN }, NODE);
    const { log, output } = await check({ 'sum.js': 'exports.sum = () => 0;\n' }, NODE);
    expect(said(output.checks[0]!)).toMatchObject({ status: 'regression', base: 'pass' });
    expect(log).toMatch(/on base ──[\s\S]*\(executed earlier\)/);
  });
});

describe('a failure on base', () => {
  it('that occurs only once does not excuse a later regression', async () => {
    const once = `const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const isBase = readFileSync('sum.js', 'utf8') === ${JSON.stringify(SUM)};
const fails = isBase && !existsSync(process.env.ONCE);
if (fails) writeFileSync(process.env.ONCE, '');
test('twice doubles', () => assert.strictEqual(fails ? 0 : twice(4), 8));
`;
    const { check, top } = await repository({
      ...PROJECT,
      'test/sum.test.js': TESTS.replace(/^test\('twice.*\n/m, once),
    });
    const checks = [{ command: `ONCE='${join(top, 'once')}' node --test test/` }];
    // A sandbox would not keep the file that the first execution on base writes.
    const first = await check({ 'sum.js': BROKEN }, checks, { DURE_SANDBOX: 'none' });
    expect(said(first.output.checks[0]!)).toMatchObject({ regressions: ['sum adds fails'], base: 'fail' });
    const second = await check({ 'sum.js': SUM.replace('a * 2', 'a * 3') }, checks, { DURE_SANDBOX: 'none' });
    expect(said(second.output.checks[0]!)).toMatchObject({
      regressions: ['twice doubles fails'],
      base: 'pass',
    });
  });

  it('is confirmed by one more run, which serves all results', async () => {
    const red = `${TESTS}test('known', () => assert.fail('always'));\n`;
    const { check } = await repository({ ...PROJECT, 'test/sum.test.js': red });
    const logOf = async (text: string) => (await check({ 'readme.md': text }, NODE)).log;
    expect((await logOf('one\n')).match(/on base ──/g)).toHaveLength(2);
    expect((await logOf('two\n')).match(/on base ──[^─]*── fail[^─]*──\n\(executed earlier\)/g)).toHaveLength(
      2,
    );
  });
});

describe('coverage below the threshold', () => {
  it.each([
    ['vitest run --coverage', true],
    ['npm test', true],
    ['make test', true],
    ['rm -rf out && tsc && jest --coverage', true],
    ['nyc --silent mocha && nyc check-coverage --lines 90', true],
    ['c8 --reporter text npm run mocha && c8 report --check-coverage', true],
    ['coverage erase && uv run coverage run -m pytest && uv run coverage report --fail-under=90', true],
    ['mkdir -p out && python3 -m coverage run -m unittest && python3 -m coverage html', true],
    ['c8 mocha && eslint .', false],
    ['mocha && jest', false],
    ['npm run all', false],
    ['jest; eslint .', false],
    ['jest || node more.js', false],
    ['jest | tee log.txt', false],
  ])('can explain why %s fails: %s', (command, may) => {
    const scripts = { pretest: 'eslint .', test: 'npm run mocha', mocha: 'c8 mocha', all: 'c8 mocha && tsc' };
    expect(endsWithTests(programsOf(command, scripts))).toBe(may);
  });

  it('is recognized near the end of the output, even if a table and a summary follow', () => {
    const message = 'Error: 66.67% line coverage does not meet threshold of 100%.';
    const lines = (line: string, n: number) => Array.from({ length: n }, () => `${line}\n`).join('');
    expect(
      isBelowCoverageThreshold(`${message}\n${lines('a.js | 100.00 |', 500)}${lines('1 passed', 20)}`),
    ).toBe(true);
    expect(isBelowCoverageThreshold(`${message}\n${lines('✔ a test', 100)}`)).toBe(false);
  });
});
