import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeTests } from '../../src/proof/judge-test-run.ts';
import { readTests } from '../../src/proof/read-reported-tests.ts';
import { readResults } from '../../src/proof/read-test-results.ts';
import { readCoverage } from '../../src/proof/report-readers/coverage-percentage.ts';
import fc from '../helpers/fast-check-seed.ts';

/** Real tool output, unchanged except for the project path. */
const captured = (name: string) => readFileSync(new URL(`captured/${name}.txt`, import.meta.url), 'utf8');
const printed = (stdout: string, stderr = '') => ({ stdout, stderr, files: [] });
const wrote = (name: string, text: string) => ({ stdout: '', stderr: '', files: [{ name, text }] });
const counts = (passed: number, failed: number, skipped: number) => ({
  total: passed + failed + skipped,
  passed,
  failed,
  skipped,
});

const WRONG = 'sum adds "wrongly" <x> & ]]>';
const EXPECTED: Record<string, { counts: ReturnType<typeof counts>; failures: string[]; doubt?: 'summary' }> =
  {
    'vitest-json': {
      counts: counts(2, 2, 2),
      failures: [WRONG, expect.stringContaining("Cannot find module '../../builder/output/src/nothing.js'")],
    },
    'vitest-junit': {
      counts: counts(2, 2, 2),
      failures: ['verifier/tests/broken.test.js', expect.stringContaining('adds "wrongly" <x> & ]]>')],
    },
    'vitest-tap': {
      counts: counts(2, 2, 2),
      failures: ['verifier/tests/broken.test.js', 'adds "wrongly" <x> & ]]>'],
    },
    'vitest-tap-flat': {
      counts: counts(2, 2, 2),
      failures: [
        'verifier/tests/broken.test.js',
        'verifier/tests/sum.test.js > sum > adds "wrongly" <x> & ]]>',
      ],
    },
    'vitest-default': { counts: counts(2, 2, 2), failures: [], doubt: 'summary' },
    'vitest-broken-default': {
      counts: counts(0, 1, 0),
      failures: ['verifier/tests/broken.test.js [ verifier/tests/broken.test.js ]'],
      doubt: 'summary',
    },
    'vitest-json-after-hook': {
      counts: counts(1, 1, 0),
      failures: [expect.stringContaining('cannot clean up')],
    },
    'vitest-json-no-tests': { counts: counts(0, 0, 0), failures: [] },
    'jest-json': {
      counts: counts(1, 2, 2),
      failures: ['sum adds wrongly', expect.stringContaining('Test suite failed to run')],
    },
    'jest-json-coverage': {
      counts: counts(1, 2, 2),
      failures: ['sum adds wrongly', expect.stringContaining('Test suite failed to run')],
    },
    'jest-default': {
      counts: counts(1, 2, 2),
      failures: ['sum › adds wrongly', 'Test suite failed to run'],
      doubt: 'summary',
    },
    // jest-junit reports a todo as passed, and by default omits a file that could not be loaded.
    'jest-junit': { counts: counts(2, 1, 1), failures: ['sum adds wrongly'] },
    'jest-junit-broken': {
      counts: counts(2, 3, 1),
      failures: [
        'sum adds wrongly',
        'Test suite failed to run t/broken.test.js',
        'Test suite failed to run t/broken.test.js',
      ],
    },
    'mocha-json': {
      counts: counts(1, 2, 1),
      failures: ['sum adds wrongly', 'hooked "before all" hook for "never runs"'],
    },
    'mocha-tap': {
      counts: counts(1, 2, 1),
      failures: ['sum adds wrongly', 'hooked "before all" hook for "never runs"'],
    },
    'mocha-xunit': {
      counts: counts(1, 2, 1),
      failures: ['sum adds wrongly', 'hooked "before all" hook for "never runs"'],
    },
    'mocha-spec': { counts: counts(1, 2, 1), failures: [], doubt: 'summary' },
    'node20-tap': {
      counts: counts(6, 2, 2),
      failures: ['fails here # not a comment', '/project/c.test.mjs'],
    },
    'node20-spec': {
      counts: counts(6, 2, 2),
      failures: ['fails here # not a comment', '/project/c.test.mjs'],
      doubt: 'summary',
    },
    'node20-junit': {
      counts: counts(5, 2, 2),
      failures: ['fails here # not a comment', '/project/c.test.mjs'],
    },
    'node20-tap-coverage': { counts: counts(5, 1, 2), failures: ['fails here # not a comment'] },
    'node20-spec-coverage': {
      counts: counts(5, 1, 2),
      failures: ['fails here # not a comment'],
      doubt: 'summary',
    },
    'node24-tap': { counts: counts(6, 2, 2), failures: ['fails here # not a comment', 'c.test.mjs'] },
    'go-json': {
      counts: counts(4, 2, 1),
      failures: ['example.com/g::TestWrong', 'example.com/g/broken'],
      doubt: 'summary',
    },
    'go-verbose': {
      counts: counts(4, 2, 1),
      failures: ['example.com/g::TestWrong', 'example.com/g/broken'],
      doubt: 'summary',
    },
    'go-plain': {
      counts: counts(1, 2, 0),
      failures: ['example.com/g::TestWrong', 'example.com/g/broken'],
      doubt: 'summary',
    },
    cargo: { counts: counts(3, 1, 1), failures: ['src/lib.rs::tests::wrong'], doubt: 'summary' },
    'pytest9-junit-subtests': {
      counts: counts(2, 2, 0),
      failures: ['test_a.T test_bad', 'test_a test_fixbad'],
    },
    'pytest9-subtests': {
      counts: counts(3, 4, 0),
      failures: [
        'test_a.py::T::test_bad',
        'test_a.py::T::test_bad',
        'test_a.py::test_fixbad',
        'test_a.py::test_fixbad',
      ],
      doubt: 'summary',
    },
    'pytest-junit': { counts: counts(2, 1, 1), failures: ['tests.test_a.TestSum test_wrong'] },
    'pytest-default': {
      counts: counts(2, 1, 1),
      failures: ['tests/test_a.py::TestSum::test_wrong'],
      doubt: 'summary',
    },
    'pytest-broken': { counts: counts(0, 1, 0), failures: ['tests/test_b.py'], doubt: 'summary' },
    unittest: { counts: counts(1, 1, 1), failures: ['test_no (__main__.A.test_no)'], doubt: 'summary' },
    'unittest-verbose': {
      counts: counts(1, 1, 1),
      failures: ['test_no (__main__.A.test_no)'],
      doubt: 'summary',
    },
    'node24-spec': {
      counts: counts(6, 2, 2),
      failures: ['fails here # not a comment', 'c.test.mjs'],
      doubt: 'summary',
    },
  };

describe('what test runners print', () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`${name} is read as ${expected.counts.passed} passed and ${expected.counts.failed} failed`, () => {
      expect(readResults(printed(captured(name)), 'custom')).toEqual(expected);
    });

    it(`${name} is read among lines that npm prints, with colours and Windows line endings`, () => {
      const noisy = `\n> project@1.0.0 test\n> run {it} "now"\n\n\u001b[32m${captured(name)}\u001b[39m\nnpm notice { "done": `;
      expect(readResults(printed(noisy.replaceAll('\n', '\r\n')), 'custom')).toEqual(expected);
    });

    it(`${name} is read from standard error too`, () => {
      expect(readResults(printed('Starting…\n', captured(name)), 'custom')).toEqual(expected);
    });
  }

  it('unittest: an expected failure counts as skipped, and an unexpected success as failed', () => {
    const read = (end: string) => readResults(printed('', `..\nRan 3 tests in 0.001s\n\n${end}\n`), 'custom');
    expect(read('OK (expected failures=1)')).toMatchObject({ counts: counts(2, 0, 1) });
    expect(read('FAILED (unexpected successes=1)')).toMatchObject({ counts: counts(2, 1, 0) });
    expect(read('FAILED (failures=1, expected failures=1)')).toMatchObject({ counts: counts(1, 1, 1) });
  });

  it('every captured output contains either results or coverage', () => {
    const names = readdirSync(new URL('captured', import.meta.url)).map(file => file.replace(/\.txt$/, ''));
    expect(names.filter(name => !(name in EXPECTED)).sort()).toEqual([
      'jest-coverage-final',
      'jest-coverage-summary',
      'jest-coverage-table',
    ]);
  });

  it('output without a report has no test results', () => {
    for (const text of [
      '',
      'ok',
      'All good!\n1..3\n',
      '{"numTotalTests": "many"}',
      '{"stats":{}}',
      '<testsuite',
    ]) {
      expect(readResults(printed(text), 'custom'), text).toBeNull();
    }
  });

  it('the reports of two commands are added up, so that the second does not hide a failure of the first', () => {
    const fine = { numTotalTests: 3, numPassedTests: 3, numFailedTests: 0, testResults: [] };
    const both = `${captured('vitest-json')}\n${JSON.stringify(fine)}\n`;
    expect(readResults(printed(both), 'vitest')?.counts).toEqual(counts(5, 2, 2));
    const twice = `${captured('node20-spec')}\n${captured('node20-spec')}`;
    expect(readResults(printed(twice), 'custom')?.counts).toEqual(counts(12, 4, 4));
  });

  describe('if there are reports in two formats,', () => {
    const passes = (tests: number) =>
      JSON.stringify({
        numTotalTests: tests,
        numPassedTests: tests,
        numFailedTests: 0,
        testResults: [],
      });
    const tap = (tests: number) =>
      `TAP version 13\n1..${tests}\n${Array.from({ length: tests }, (_, n) => `ok ${n + 1}\n`).join('')}`;
    const inFile = (text: string) => [{ name: 'report', text }];

    it.each(Object.keys(EXPECTED).filter(name => name !== 'vitest-json-no-tests'))(
      'a passing report never hides failures in %s, whichever stream or file each report is in',
      name => {
        const told = captured(name);
        const others = [
          passes(90),
          tap(90),
          '<testsuite><testcase name="a"/></testsuite>',
          '  90 passing (3ms)\n',
        ];
        for (const other of others) {
          for (const output of [
            printed(`${told}\n${other}\n`),
            printed(other, told),
            { stdout: told, stderr: '', files: inFile(other) },
            { stdout: other, stderr: '', files: inFile(told) },
          ]) {
            for (const framework of ['mocha', 'custom'] as const)
              expect(readResults(output, framework)?.counts.failed, other).toBeGreaterThan(0);
          }
        }
      },
    );

    it('tests are not counted twice: the report with the most tests is used', () => {
      const junit = '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>';
      const both = (stdout: string, file: string) =>
        readResults({ stdout, stderr: '', files: inFile(file) }, 'custom');
      expect(both(tap(2), junit)?.counts).toEqual(counts(2, 0, 0));
      expect(both(tap(3), junit)?.counts).toEqual(counts(3, 0, 0));
      expect(both(passes(1), junit)?.counts).toEqual(counts(2, 0, 0));
    });

    it('a complete report is preferred to a truncated one, which is preferred to a console summary', () => {
      const cutTap = 'TAP version 13\nok 1\nok 2\n';
      const summary = '  9 passing (3ms)\n';
      expect(readResults(printed(`${cutTap}${summary}`, passes(1)), 'custom')).toEqual({
        counts: counts(1, 0, 0),
        failures: [],
      });
      expect(readResults(printed(`${cutTap}${summary}`), 'custom')).toMatchObject({
        counts: counts(2, 0, 0),
        doubt: 'cut',
      });
    });
  });

  it('an error that vitest prints outside the tests is a failure', () => {
    const summary =
      ' Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  1 error\n   Start at  19:16:15\n';
    expect(readResults(printed(summary), 'vitest')?.counts).toEqual(counts(3, 1, 0));
  });

  it('a report in a file is preferred to printed output', () => {
    const output = {
      stdout: '  9 passing (3ms)\n',
      stderr: '',
      files: [{ name: 'report.json', text: captured('vitest-json') }],
    };
    expect(readResults(output, 'vitest')?.counts).toEqual(counts(2, 2, 2));
  });

  it('a JSON report is found after unfinished JSON that a test printed', () => {
    const text = `{ "stats": { "open\n{"num {\n${captured('mocha-json')}`;
    expect(readResults(printed(text), 'mocha')?.counts).toEqual(counts(1, 2, 1));
  });

  it('a JSON report with a message of many megabytes is read', () => {
    const report = {
      numTotalTests: 1,
      numPassedTests: 0,
      numFailedTests: 1,
      testResults: [
        {
          name: 'a.test.js',
          status: 'failed',
          message: '\\"{'.repeat(3_000_000),
          assertionResults: [{ title: 'is large', status: 'failed' }],
        },
      ],
    };
    const text = `noise {\n${JSON.stringify(report)}\nmore noise`;
    expect(readResults(printed(text), 'jest')).toEqual({ counts: counts(0, 1, 0), failures: ['is large'] });
  });

  it('at most 50 names of failed tests are listed, each on one line of at most 300 characters', () => {
    const failures = Array.from({ length: 80 }, (_, n) => ({ title: `test\n${n} ${'long '.repeat(200)}` }));
    const report = { stats: { passes: 0, pending: 0, failures: 80 }, failures };
    const read = readResults(printed(JSON.stringify(report)), 'mocha');
    expect(read?.counts.failed).toBe(80);
    expect(read?.failures).toHaveLength(50);
    for (const name of read!.failures) expect(name).toMatch(/^test \d+ .{1,300}$/);
  });
});

describe('a truncated report', () => {
  const WHOLE: Record<string, string> = {
    'TAP with its plan at the end': 'TAP version 13\nok 1 - a\nok 2 - b\nok 3 - c\n1..3\n',
    'TAP with its plan at the beginning': 'TAP version 14\n1..3\nok 1 - a\nok 2 - b\nok 3 - c\n',
    'TAP with subtests in braces':
      'TAP version 13\n1..1\nok 1 - file {\n    1..3\n    ok 1 - a\n    ok 2 - b\n    ok 3 - c\n}\n',
    JUnit: `<?xml version="1.0"?>
<testsuites>
  <testsuite name="one">
    <testcase name="a"/>
    <testcase name="b"></testcase>
  </testsuite>
  <testsuite name="two">
    <testcase name="c"/>
  </testsuite>
</testsuites>
`,
    'the JSON of vitest and jest': JSON.stringify(
      {
        numTotalTests: 3,
        numPassedTests: 3,
        numFailedTests: 0,
        testResults: [{ name: 'a', status: 'passed', assertionResults: [] }],
      },
      null,
      2,
    ),
    'the JSON of mocha': JSON.stringify(
      { stats: { passes: 3, pending: 0, failures: 0 }, tests: [{}] },
      null,
      2,
    ),
  };
  const verdict = (text: string, revealsFailure: boolean) => {
    const results = readResults(printed(text), 'custom');
    const { machine } = judgeTests({
      exit_code: 0,
      signal: null,
      timedOut: false,
      spawnError: null,
      framework: 'custom',
      results,
      revealsFailure,
    });
    return { machine, passed: results?.counts.passed };
  };
  /** What would remain after `head` and `tail`. */
  const cuts = (text: string) => {
    const lines = text.split('\n');
    return lines.flatMap((_, n) => [lines.slice(0, n).join('\n'), lines.slice(n).join('\n')]);
  };

  it.each(Object.entries(WHOLE))(
    'is never a pass with fewer tests than the complete report: %s',
    (_, text) => {
      expect(verdict(text, false)).toEqual({ machine: 'pass', passed: 3 });
      for (const part of cuts(text)) {
        const { machine, passed } = verdict(part, false);
        if (passed !== 3) expect(machine, part).not.toBe('pass');
        // An exit code that reveals failures is enough if there is no report, but not if half a report is missing.
        if (passed !== undefined && passed !== 3) expect(verdict(part, true).machine, part).not.toBe('pass');
      }
    },
  );

  it.each(Object.keys(EXPECTED))('is never a pass when failed tests are missing: %s', name => {
    const text = captured(name);
    for (const part of cuts(text)) expect(verdict(part, false).machine, part).not.toBe('pass');
    for (let end = 0; end < text.length; end += 7)
      expect(verdict(text.slice(0, end), false).machine, text.slice(0, end)).not.toBe('pass');
  });

  it('is never a pass with lines removed from its middle', () => {
    const xml = '<testsuite tests="3"><testcase name="a"/>\n<testcase name="b"/></testsuite>';
    expect(verdict(xml, true).machine).toBe('could-not-run');
    expect(verdict('TAP version 13\nok 1 - a\nok 3 - c\n1..3\n', true).machine).toBe('could-not-run');
  });

  it('is detected next to a complete report from another command', () => {
    const whole = 'TAP version 13\n1..1\nok 1 - a\n';
    const part = 'TAP version 13\nok 1 - b\n';
    expect(verdict(whole + whole, true)).toEqual({ machine: 'pass', passed: 2 });
    for (const text of [whole + part, part + whole])
      expect(verdict(text, true).machine).toBe('could-not-run');
  });

  it('does not pass when it reports more tests than planned', () => {
    expect(verdict('ok 8 - z\nTAP version 13\n1..1\nok 1 - a\n', true).machine).toBe('could-not-run');
  });
});

describe('any text', () => {
  const names = readdirSync(new URL('captured', import.meta.url)).map(file => file.replace(/\.txt$/, ''));
  const pieces = fc
    .array(
      fc
        .tuple(fc.constantFrom(...names), fc.nat({ max: 5000 }), fc.nat({ max: 5000 }))
        .map(([name, from, length]) => captured(name).slice(from, from + length)),
      { maxLength: 4 },
    )
    .map(texts => texts.join('\n'));

  it('is read without an error, and the counts add up', () => {
    fc.assert(
      fc.property(pieces, fc.string(), (text, more) => {
        const output = {
          stdout: text,
          stderr: more,
          files: [{ name: 'coverage/coverage-final.json', text: more }],
        };
        const read = readResults(output, 'custom');
        if (read)
          expect(read.counts.total).toBe(read.counts.passed + read.counts.failed + read.counts.skipped);
        const percent = readCoverage(output);
        if (percent !== null) expect(percent >= 0 && percent <= 100).toBe(true);
      }),
    );
  });

  it('is read in linear time', () => {
    const many = (line: (n: number) => string) =>
      Array.from({ length: 50_000 }, (_, n) => line(n)).join('\n');
    const tap = `TAP version 13\n${many(n => `ok ${n + 1} - test ${n}`)}`;
    expect(readResults(printed(tap), 'custom')?.counts.passed).toBe(50_000);
    const xml = `<testsuites>${many(n => `<testsuite><testcase name="${n}"/></testsuite>`)}</testsuites>`;
    expect(readResults(printed(xml), 'custom')?.counts.passed).toBe(50_000);
    expect(readResults(printed(many(() => '{"stats": {"numTotalTests": {')), 'custom')).toBeNull();
    const go = { Action: 'output', Package: 'p', Test: 'TestAC1', Output: 'a line\n' };
    const ended = JSON.stringify({ ...go, Action: 'pass', Output: undefined });
    const events = `${many(() => JSON.stringify(go))}\n${ended}`;
    expect(readResults(printed(events), 'custom')?.counts.passed).toBe(1);
  });
});

describe('TAP', () => {
  it('counts as truncated if planned tests are not reported', () => {
    const read = readResults(printed('TAP version 13\n1..3\nok 1 - one\n'), 'custom');
    expect(read).toEqual({
      counts: counts(1, 0, 0),
      failures: [],
      doubt: 'cut',
    });
  });

  it('bailing out is a failure', () => {
    const read = readResults(printed('TAP version 14\nok 1 - one\nBail out! no database\n'), 'custom');
    expect(read).toEqual({ counts: counts(1, 1, 0), failures: ['Bail out! no database'], doubt: 'cut' });
  });

  it('a failed parent whose children all passed counts as a failure', () => {
    const text = 'TAP version 13\n    ok 1 - child\n    1..1\nnot ok 1 - parent\n1..1\n';
    expect(readResults(printed(text), 'custom')).toEqual({ counts: counts(1, 1, 0), failures: ['parent'] });
  });

  it('a failed test marked TODO is not a failure, as TAP specifies', () => {
    const text = 'TAP version 13\nnot ok 1 - later # TODO not yet\nok 2 - now\n1..2\n';
    expect(readResults(printed(text), 'custom')?.counts).toEqual(counts(1, 0, 1));
  });

  it('test points within a YAML block are ignored', () => {
    const text = 'TAP version 13\nnot ok 1 - one\n  ---\n  stack: |-\n  ok 7 - quoted\n  ...\n1..1\n';
    expect(readResults(printed(text), 'custom')?.counts).toEqual(counts(0, 1, 0));
  });

  it("a test's output does not change Node's totals", () => {
    expect(captured('node20-tap')).toContain('pass 99');
    expect(readResults(printed(captured('node20-tap')), 'custom')?.counts.passed).toBe(6);
  });
});

describe('JUnit XML', () => {
  it('attributes may be in any order and use either kind of quote, and CDATA and comments are not elements', () => {
    const xml = `<?xml version='1.0'?>
      <testsuites>
        <testsuite time="1" failures='1' name='a > b' tests="3">
          <!-- <testcase name="no"><failure/></testcase> -->
          <testcase time="0" name='says &quot;x&quot; &#60;&#x3e;'
            classname="suite"><failure><![CDATA[</testcase><testcase name="forged"/>]]></failure></testcase>
          <testcase name="printed"><system-out><![CDATA[<failure/>]]></system-out></testcase>
          <testcase name="off"><skipped/></testcase>
        </testsuite>
      </testsuites>`;
    expect(readResults(wrote('junit.xml', xml), 'custom')).toEqual({
      counts: counts(1, 1, 1),
      failures: ['suite says "x" <>'],
    });
  });

  it('a declared error outside any test is a failure', () => {
    const xml = '<testsuite tests="1" failures="0" errors="1"><testcase name="a"/></testsuite>';
    expect(readResults(wrote('junit.xml', xml), 'custom')).toEqual({
      counts: counts(1, 1, 0),
      failures: ['1 error outside of any test'],
    });
  });

  it('a test without its end tag ends with its suite', () => {
    const unclosed = '<testsuite tests="1"><testcase name="a"></testsuite>';
    const failure = '<failure message="x"/>';
    expect(
      readResults(printed(`${unclosed}<testsuite tests="1">${failure}</testsuite>`), 'custom'),
    ).toMatchObject({ counts: counts(1, 0, 0), doubt: 'cut' });
    const output = printed(`${unclosed}<testsuites>${failure}</testsuites>`);
    expect(readTests(output, [])).toEqual([{ name: 'a', status: 'passed' }]);
  });

  it('a stray < or an unclosed quote before the report is ignored', () => {
    const xml = `a < b and <testsuites "unfinished\n<testsuite name="s"><testcase name="a"/></testsuite>`;
    expect(readResults(printed(xml), 'custom')?.counts.total).toBe(1);
  });
});

describe('coverage', () => {
  it('is the percentage of covered lines, whichever report jest writes', () => {
    const reports = [
      wrote('coverage/coverage-summary.json', captured('jest-coverage-summary')),
      wrote('coverage/coverage-final.json', captured('jest-coverage-final')),
      printed(captured('jest-json-coverage')),
      printed(captured('jest-coverage-table')),
      printed('', 'Statements   : 50% ( 3/6 )\nLines        : 40% ( 2/5 )\n'),
    ];
    expect(reports.map(readCoverage)).toEqual([40, 40, 40, 40, 40]);
  });

  it("is read from Node's table, in TAP and in the output of the spec reporter", () => {
    const table = (text: string) => text.replace(/(all files +\| +)100\.00/, '$1 66.67');
    expect(readCoverage(printed(table(captured('node20-tap-coverage'))))).toBe(66.67);
    expect(readCoverage(printed(table(captured('node20-spec-coverage'))))).toBe(66.67);
  });

  it('is the lowest percentage when several are reported', () => {
    const table = (percent: number) => `File | % Stmts | % Lines |\nAll files | 99 | ${percent} |\n`;
    expect(readCoverage(printed(table(90) + table(70) + table(80)))).toBe(70);
  });

  it('is unknown when it is not reported', () => {
    const empty = '{"total":{"lines":{"total":0,"covered":0,"skipped":0,"pct":"Unknown"}}}';
    expect(readCoverage(wrote('coverage/coverage-summary.json', empty))).toBeNull();
    expect(readCoverage(wrote('coverage/coverage-final.json', '{}'))).toBeNull();
    expect(readCoverage(printed(captured('vitest-json')))).toBeNull();
    expect(readCoverage(printed('All files | none'))).toBeNull();
  });
});
