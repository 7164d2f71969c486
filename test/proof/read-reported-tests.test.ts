import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTests, readTestsPassedFirst } from '../../src/proof/read-reported-tests.ts';
import { readResults } from '../../src/proof/read-test-results.ts';

const captured = (name: string) => readFileSync(new URL(`captured/${name}.txt`, import.meta.url), 'utf8');
const listed = (text: string) =>
  Object.fromEntries(
    readTests({ stdout: text, stderr: '', files: [] }, ['/project']).map(({ name, status }) => [
      name,
      status,
    ]),
  );

const SUM = 'verifier/tests/sum.test.js';
const VITEST = {
  'verifier/tests/broken.test.js': 'failed',
  'verifier/tests/ok.test.js::is fine': 'passed',
  [`${SUM}::sum > adds`]: 'passed',
  [`${SUM}::sum > adds "wrongly" <x> & ]]>`]: 'failed',
  [`${SUM}::sum > waits`]: 'skipped',
  [`${SUM}::sum > later`]: 'skipped',
};
const WITHOUT_FILES = Object.fromEntries(
  Object.entries(VITEST).map(([name, status]) => [name.replace('::', ' > '), status]),
);
const NODE = {
  'outer > adds': 'passed',
  'outer > fails here # not a comment': 'failed',
  'outer > skipped': 'skipped',
  'outer > later': 'skipped',
  'outer > inner > deep': 'passed',
  'top with subtests > sub one': 'passed',
  'top with subtests > sub two': 'passed',
  b: 'passed',
  'c.test.mjs': 'failed',
};
const MOCHA = {
  'm/sum.spec.js::sum adds': 'passed',
  'm/sum.spec.js::sum adds wrongly': 'failed',
  'm/sum.spec.js::sum later': 'skipped',
  'm/sum.spec.js::hooked "before all" hook for "never runs"': 'failed',
};
const GO = {
  'example.com/g::TestSum': 'passed',
  'example.com/g::TestSum/zero': 'passed',
  'example.com/g::TestSum/two_words': 'passed',
  'example.com/g::TestWrong': 'failed',
  'example.com/g::TestSkip': 'skipped',
  'example.com/g/broken': 'failed',
  'example.com/g/sub::TestFine': 'passed',
};

const EXPECTED: Record<string, Record<string, string>> = {
  'vitest-json': VITEST,
  'vitest-tap': WITHOUT_FILES,
  'vitest-tap-flat': WITHOUT_FILES,
  'vitest-junit': WITHOUT_FILES,
  'jest-json': {
    't/broken.test.js': 'failed',
    't/sum.test.js::sum > adds': 'passed',
    't/sum.test.js::sum > adds wrongly': 'failed',
    't/sum.test.js::sum > waits': 'skipped',
    't/sum.test.js::sum > later': 'skipped',
  },
  'mocha-json': MOCHA,
  'mocha-xunit': {
    'm/sum.spec.js::Mocha Tests > sum > adds': 'passed',
    'm/sum.spec.js::Mocha Tests > sum > adds wrongly': 'failed',
    'm/sum.spec.js::Mocha Tests > sum > later': 'skipped',
    'm/sum.spec.js::Mocha Tests > hooked > "before all" hook for "never runs"': 'failed',
  },
  'mocha-tap': {
    'sum adds': 'passed',
    'sum adds wrongly': 'failed',
    'sum later': 'skipped',
    'hooked "before all" hook for "never runs"': 'failed',
  },
  'mocha-spec': {
    'sum > adds': 'passed',
    'sum > adds wrongly': 'failed',
    'sum > later': 'skipped',
    'hooked > "before all" hook for "never runs"': 'failed',
  },
  'node20-tap': NODE,
  'node24-tap': NODE,
  'node20-junit': NODE,
  'node20-spec': NODE,
  'node24-spec': NODE,
  'go-json': GO,
  'go-verbose': GO,
  'go-plain': {
    'example.com/g::TestWrong': 'failed',
    'example.com/g/broken': 'failed',
    'example.com/g/sub': 'passed',
  },
  cargo: {
    'src/lib.rs::tests::later': 'skipped',
    'src/lib.rs::tests::adds': 'passed',
    'src/lib.rs::tests::wrong': 'failed',
    'tests/it.rs::outside': 'passed',
    'doc-tests c::src/lib.rs - sum (line 1)': 'passed',
  },
  'pytest-junit': {
    'pytest > tests.test_a.TestSum > test_adds[1]': 'passed',
    'pytest > tests.test_a.TestSum > test_adds[2]': 'passed',
    'pytest > tests.test_a.TestSum > test_wrong': 'failed',
    'pytest > tests.test_a > test_later': 'skipped',
  },
  'unittest-verbose': {
    'test_no (__main__.A.test_no)': 'failed',
    'test_ok (__main__.A.test_ok)': 'passed',
    'test_s (__main__.A.test_s)': 'skipped',
  },
  // These formats do not name the tests that passed.
  'vitest-default': {},
  'jest-default': {},
  unittest: {},
  'pytest-default': {},
};

describe('the tests in a report', () => {
  it.each(Object.entries(EXPECTED))('are read from %s', (name, expected) => {
    expect(listed(captured(name))).toEqual(expected);
  });

  it('have the same names whatever the path of the checkout', () => {
    const text = captured('vitest-json').replaceAll('/project/', '/tmp/other/place/');
    const read = readTests({ stdout: '', stderr: '', files: [{ name: 'report.json', text }] }, [
      '/tmp/other/place',
    ]);
    expect(read.map(test => test.name).sort()).toEqual(Object.keys(VITEST).sort());
  });

  it('are read only from report files when there are any', () => {
    const files = [{ name: 'r.xml', text: '<testsuite name="s"><testcase name="a"/></testsuite>' }];
    const read = readTests({ stdout: captured('node20-tap'), stderr: '', files }, []);
    expect(read).toEqual([{ name: 's > a', status: 'passed' }]);
  });

  it('are named after their module in a pytest report, even if the name of the test begins with that of the module', () => {
    const report =
      '<testsuites><testsuite name="pytest" tests="1"><testcase classname="test_a" name="test_ac1"/></testsuite></testsuites>';
    expect(listed(report)).toEqual({ 'pytest > test_a > test_ac1': 'passed' });
  });

  it('are numbered if several have the same name, either in the order of the report or with passed tests first', () => {
    const tap = 'TAP version 13\n1..3\nnot ok 1 - a\nok 2 - a\nok 3 - a # SKIP\n';
    expect(listed(tap)).toEqual({ a: 'failed', 'a #2': 'passed', 'a #3': 'skipped' });
    const compared = readTestsPassedFirst({ stdout: tap, stderr: '', files: [] }, []);
    expect(compared.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'a: passed',
      'a #2: skipped',
      'a #3: failed',
    ]);
  });

  it.each([
    [
      'pnpm -r',
      'packages/a test$ node --test',
      'packages/a test',
      'packages/b test$ mocha',
      'packages/b test',
    ],
    ['turbo', '@x/a:test: cache miss, executing 12', '@x/a:test', 'b:test: cache bypass, force', 'b:test'],
    ['yarn workspaces foreach', '[a]: Process started', '[a]', '[b]: Process started', '[b]'],
  ])('are told apart by package in the combined output of %s', (_, startsA, a, startsB, b) => {
    const text = [
      startsA,
      startsB,
      `${a}: TAP version 13`,
      `${b}:   sums`,
      `${a}: ok 1 - adds`,
      `${b}:     ✔ adds`,
      `${a}: not ok 2 - waits`,
      `${b}:     1) waits`,
      `${b}:   1 passing (3ms)`,
      `${b}:   1 failing`,
      `${a}: 1..2`,
    ].join('\n');
    // A report is preferred to a console list.
    expect(listed(text)).toEqual({ [`${a} > adds`]: 'passed', [`${a} > waits`]: 'failed' });
    expect(listed(text.replaceAll(/^.*(?:ok \d|TAP|1\.\.2).*\n?/gm, ''))).toEqual({
      [`${b} > sums > adds`]: 'passed',
      [`${b} > sums > waits`]: 'failed',
    });
    const { counts } = readResults({ stdout: text, stderr: '', files: [] }, 'custom')!;
    expect(counts).toMatchObject({ passed: 1, failed: 1 });
  });

  it("are named after the comment before them in tape's TAP", () => {
    const tap =
      'TAP version 13\n# sum\nok 1 should be equal\nok 2 should be equal\n# difference\nnot ok 3 adds\n  ---\n    at: x\n  ...\n\n1..3\n# tests 3\n# pass  2\n# fail  1\n';
    expect(listed(tap)).toEqual({
      'sum > should be equal': 'passed',
      'sum > should be equal #2': 'passed',
      'difference > adds': 'failed',
    });
  });

  it('are not named after comments that describe a failure, as in the TAP of bats and Perl', () => {
    const tap = [
      ...['1..4', 'ok 1 lists versions', 'not ok 2 needs something'],
      ...[
        '# (in test file test/aaa.bats, line 7)',
        '#   `assert_equal 1 2` failed',
        '# actual: /tmp/bats-run-a1',
      ],
      ...['ok 3 multiple versions', 'ok 4 reverse', ''],
    ].join('\n');
    expect(listed(tap)).toEqual({
      'lists versions': 'passed',
      'needs something': 'failed',
      'multiple versions': 'passed',
      reverse: 'passed',
    });
  });

  it("are named after the comments of nested tests in tape's TAP, which is flat", () => {
    const tap = [
      ...['TAP version 13', '# AC-3: is off by default', '# without options', 'ok 1 no header'],
      ...[
        '# next',
        'ok 2 header',
        '# limits',
        '# SKIP by address',
        '# of a minute',
        '# at once',
        'ok 3 sixty',
      ],
      // A test without assertions is not the parent of the next criterion.
      ...['# AC-4: nothing yet', '# AC-5: refuses', 'ok 4 status', '# AC-6: nothing yet', '', '1..4'],
      ...['TAP version 13', '# another file', 'ok 1 loads', '', '1..1', '# tests 5', '# pass  5', ''],
    ].join('\n');
    expect(listed(tap)).toEqual({
      'AC-3: is off by default > without options > no header': 'passed',
      'next > header': 'passed',
      'limits > of a minute > at once > sixty': 'passed',
      'AC-5: refuses > status': 'passed',
      'another file > loads': 'passed',
    });
  });
});

it('the names of tests do not depend on the path of the checkout, even where nothing follows that path', () => {
  const tap = `TAP version 13
ok 1 - relative('/project','./a') is 'a'
ok 2 - /project/test/a.js loads
ok 3 - /projects/other and /project-2 stay
1..3
`;
  expect(Object.keys(listed(tap))).toEqual([
    "relative('.','./a') is 'a'",
    'test/a.js loads',
    '/projects/other and /project-2 stay',
  ]);
});

it('unittest tests whose class is defined in a function are listed', () => {
  const name = 'test_row_001 (tests.test_tables.load.<locals>.Loaded.test_row_001)';
  const text = `${name}\nRow of table.txt ... FAIL
test_other (tests.test_tables.Other.test_other) ... ok

${'='.repeat(70)}
FAIL: ${name}
Row of table.txt
${'-'.repeat(70)}
Traceback (most recent call last):
  File "tests/test_tables.py", line 9, in test_row_001
    self.assertEqual(1, 2)
AssertionError: 1 != 2

${'-'.repeat(70)}
Ran 2 tests in 0.001s

FAILED (failures=1)
`;
  expect(listed(text)).toEqual({
    [name]: 'failed',
    'test_other (tests.test_tables.Other.test_other)': 'passed',
  });
  expect(readResults({ stdout: '', stderr: text, files: [] }, 'custom')?.counts).toMatchObject({ failed: 1 });
});
