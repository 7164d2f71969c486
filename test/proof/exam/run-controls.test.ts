import { expect, test } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { runPlacebo } from '../../../src/proof/exam/run-controls.ts';

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
])('a test %s', async (_, outcomes, { rounds, placebo, runs }) => {
  const seen = { head: [cases('++')], placebo: null };
  let n = 0;
  await runPlacebo(seen, ['a', 'b'], async () => cases(outcomes[n++]!));
  expect(seen).toEqual({
    head: [cases('++'), cases(outcomes[0]!)].slice(0, rounds),
    placebo: cases(placebo),
  });
  expect(n).toBe(runs);
});
