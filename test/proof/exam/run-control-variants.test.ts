import { expect, test } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { runPlacebo } from '../../../src/proof/exam/run-control-variants.ts';

/** The outcomes of tests `a` and `b`: `+` passes, `-` fails. */
const cases = (outcomes: string): TestCases => ({
  tree: 'a'.repeat(40),
  tests_tree: 'a'.repeat(40),
  side: 'head',
  machine: outcomes.includes('-') ? 'fail' : 'pass',
  ended: true,
  cases: [...outcomes].map((outcome, n) =>
    outcome === '+'
      ? { id: 'ab'[n]!, outcome: 'pass' }
      : { id: 'ab'[n]!, outcome: 'fail', failure: 'assert' },
  ),
});

test.each([
  ['passes: it runs once', ['++'], { rounds: 1, placebo: '++', runs: 1 }],
  ['fails twice: it fails because of the added text', ['-+', '-+'], { rounds: 1, placebo: '-+', runs: 2 }],
  ['fails once: it does not always pass', ['-+', '++'], { rounds: 2, placebo: '++', runs: 2 }],
  ['fails twice, another once', ['--', '-+'], { rounds: 1, placebo: '--', runs: 2 }],
])('on the placebo, a test %s', async (_, outcomes, { rounds, placebo, runs }) => {
  const seen = { head: [cases('++')], placebo: null };
  let n = 0;
  await runPlacebo(seen, ['a', 'b'], async () => cases(outcomes[n++]!), null);
  expect(seen).toEqual({
    head: [cases('++'), cases(outcomes[0]!)].slice(0, rounds),
    placebo: cases(placebo),
  });
  expect(n).toBe(runs);
});

test.each([
  ['fails', '+-+-', '+-'],
  ['fails once: it does not always pass', '+-++', '++'],
])('with the source text hidden, a test %s', async (_, outcomes, placebo) => {
  const seen = { head: [cases('++')], placebo: null };
  let n = 0;
  const run = async () => cases(outcomes.slice(2 * n++).slice(0, 2));
  await runPlacebo(seen, ['a', 'b'], async () => cases('++'), { run, runImports: run, loads: true });
  expect(seen.placebo).toEqual({ ...cases('++'), cases: cases(placebo).cases });
});

test.each([
  ['fails if the file has to load', true, '', 'fail'],
  ['passes if the file does not load with only its imports either', false, 'load', 'pass'],
  ['passes if it is not reported with only the imports of the file', false, 'missing', 'pass'],
  ['fails if the file loads with only its imports', false, 'passes', 'fail'],
])(
  'a test whose file cannot be loaded with the source text hidden %s',
  async (_, loads, imports, outcome) => {
    const seen = { head: [cases('+')], placebo: null as TestCases | null };
    const failed: TestCases = { ...cases(''), cases: [{ id: 'a', outcome: 'fail', failure: 'load' }] };
    const runImports = async () => (imports === 'load' ? failed : cases(imports === 'passes' ? '+' : ''));
    const run = async () => failed;
    await runPlacebo(seen, ['a'], async () => cases('+'), { run, runImports, loads });
    expect(seen.placebo!.cases).toMatchObject([{ id: 'a', outcome }]);
  },
);
