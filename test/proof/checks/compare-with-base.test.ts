import { describe, expect, it } from 'vitest';
import {
  type CheckRun,
  type CheckRuns,
  type Comparison,
  compare,
} from '../../../src/proof/checks/compare-with-base.ts';
import fc from '../../helpers/fast-check-seed.ts';

/** Notation: `a b` passed, `!a` failed, `-a` was skipped. `ok`, `red`, `silent` and `broken` name no tests. */
function run(text: string): CheckRun {
  if (text === 'broken')
    return { machine: 'could-not-run', problem: 'the time limit', doubtful: false, tests: [] };
  if (text === 'ok' || text === 'red' || text === 'silent')
    return {
      machine: text === 'red' ? 'fail' : 'pass',
      problem: null,
      doubtful: text === 'silent',
      tests: [],
    };
  const [words = '', exit] = text.split(' exit ');
  const tests = words.split(' ').map(word => ({
    name: word.replace(/^[!-]/, ''),
    status: word.startsWith('!')
      ? ('failed' as const)
      : word.startsWith('-')
        ? ('skipped' as const)
        : ('passed' as const),
  }));
  const red = exit === '1' || tests.some(test => test.status === 'failed');
  return { machine: red ? 'fail' : 'pass', problem: null, doubtful: false, tests };
}

interface Case {
  readonly result: string;
  readonly again?: string;
  readonly base?: string;
  readonly baseAgain?: string;
  readonly restored?: string;
  readonly restoredAgain?: string;
  /** Tests that cannot be restored may be missing. */
  readonly watched?: true;
}

/** Provides each requested execution, as the runner does, and records which were requested. */
function play(of: Case): { comparison: Comparison; asked: string[] } {
  const given: Record<string, (string | undefined)[]> = {
    result: [of.result, of.again ?? of.result],
    base: [of.base, of.baseAgain ?? of.base],
    restored: [of.restored, of.restoredAgain ?? of.restored],
  };
  const asked: string[] = [];
  const restorable = of.restored !== undefined;
  let runs: CheckRuns = {
    result: [],
    base: [],
    restored: [],
    inputsChanged: restorable || of.watched === true,
    restorable,
  };
  for (;;) {
    const found = compare(runs);
    if ('comparison' in found) return { comparison: found.comparison, asked };
    const text = given[found.next]!.shift();
    if (text === undefined) throw new Error(`${found.next} was not expected after ${asked.join(', ')}`);
    asked.push(found.next);
    runs = { ...runs, [found.next]: [...runs[found.next], run(text)] };
  }
}

const said = ({ status, regressions, flaky, overridden }: Comparison) => ({
  status,
  regressions: regressions.map(each => `${each.test ?? '*'} ${each.how}`),
  ...(flaky.length > 0 && { flaky: [...flaky] }),
  ...(overridden.length > 0 && { overridden: overridden.map(each => `${each.test ?? '*'} ${each.how}`) }),
});

const CASES: Record<string, Case & { is: ReturnType<typeof said>; asked?: string[] }> = {
  'a result that passes is not compared': {
    result: 'a b',
    is: { status: 'pass', regressions: [] },
    asked: ['result'],
  },
  'a test that passes on base and fails on the result is a regression': {
    result: 'a !b',
    base: 'a b',
    is: { status: 'regression', regressions: ['b fails'] },
    asked: ['result', 'base', 'result', 'base'],
  },
  'a suite that fails on base is compared test by test: the same failure is not a regression': {
    result: 'a !b',
    base: 'a !b',
    is: { status: 'red-on-base', regressions: [] },
    asked: ['result', 'base'],
  },
  'a suite that fails on base and fails in one more test is a regression': {
    result: '!a !b c',
    base: 'a !b c',
    is: { status: 'regression', regressions: ['a fails'] },
  },
  'a test that is no longer reported is a regression': {
    result: '!a',
    base: '!a b',
    is: { status: 'regression', regressions: ['b missing'] },
  },
  'a test that is now skipped is a regression': {
    result: '!a -b',
    base: '!a b',
    is: { status: 'regression', regressions: ['b skipped'] },
  },
  'a test that fails once in two runs is flaky, not a regression': {
    result: 'a !b',
    again: 'a b',
    base: 'a b',
    is: { status: 'pass', regressions: [], flaky: ['b'] },
    asked: ['result', 'base', 'result'],
  },
  'a test that passes once in two runs on base is flaky, not a regression': {
    result: 'a !b',
    base: 'a b',
    baseAgain: 'a !b',
    is: { status: 'red-on-base', regressions: [], flaky: ['b'] },
  },
  'a flaky test does not hide a regression': {
    result: '!a !b',
    again: 'a !b',
    base: 'a b',
    is: { status: 'regression', regressions: ['b fails'], flaky: ['a'] },
  },
  'different tests failing each time, while base passes twice, are a regression of the command': {
    result: '!a b',
    again: 'a !b',
    base: 'a b',
    is: { status: 'regression', regressions: ['* fails'], flaky: ['a', 'b'] },
  },
  'a new test that fails is a regression of the command': {
    result: 'a !new',
    base: 'a',
    is: { status: 'regression', regressions: ['* fails'] },
  },
  'a linter in the same command that fails is a regression of the command': {
    result: 'a exit 1',
    base: 'a',
    is: { status: 'regression', regressions: ['* fails'] },
  },
  'without test names the exit code decides': {
    result: 'red',
    base: 'ok',
    is: { status: 'regression', regressions: ['* fails'] },
    asked: ['result', 'base', 'result', 'base'],
  },
  'without test names, failures on both sides are not comparable': {
    result: 'red',
    base: 'red',
    is: { status: 'red-on-base', regressions: [] },
  },
  'a result that no longer reports tests is a regression': {
    result: 'red',
    base: 'a !b',
    is: { status: 'regression', regressions: ['* missing'] },
  },
  'a check that runs on base but not on the result is a regression': {
    result: 'broken',
    base: 'ok',
    is: { status: 'regression', regressions: ['* could-not-run'] },
  },
  'a check that fails on base and cannot run on the result is a regression': {
    result: 'broken',
    base: 'red',
    is: { status: 'regression', regressions: ['* could-not-run'] },
  },
  'a check that can run neither on the result nor on base is reported': {
    result: 'broken',
    base: 'broken',
    is: { status: 'could-not-run', regressions: [] },
  },
  'a check that could not run once and then passed is flaky': {
    result: 'broken',
    again: 'a b',
    base: 'a b',
    is: { status: 'pass', regressions: [], flaky: ['the command as a whole'] },
  },
  'an edited test that fails in its base version is reported': {
    result: 'a b',
    base: 'a b',
    restored: 'a !b',
    is: { status: 'pass', regressions: [], overridden: ['b fails'] },
    asked: ['result', 'base', 'restored', 'restored', 'base'],
  },
  'an edited test that passes in its base version is not reported': {
    result: 'a b new',
    base: 'a b',
    restored: 'a b',
    is: { status: 'pass', regressions: [] },
    asked: ['result', 'base', 'restored'],
  },
  'a removed test that fails when restored is a regression': {
    result: 'a',
    base: 'a b',
    restored: 'a !b',
    is: { status: 'regression', regressions: ['b missing'] },
  },
  'a skipped test that fails when restored is a regression': {
    result: 'a -b',
    base: 'a b',
    restored: 'a !b',
    is: { status: 'regression', regressions: ['b skipped'] },
  },
  'a renamed test that passes when restored is not reported': {
    result: 'a renamed',
    base: 'a b',
    restored: 'a b',
    is: { status: 'pass', regressions: [] },
  },
  "a command that succeeds but names none of base's tests is a regression": {
    result: 'silent',
    base: 'a b',
    is: { status: 'regression', regressions: ['* missing'] },
  },
  'a command that never names tests passes by its exit code': {
    result: 'silent',
    base: 'silent',
    is: { status: 'pass', regressions: [] },
    asked: ['result', 'base'],
  },
  'a test removed with a file that cannot be restored is a regression': {
    result: 'a',
    base: 'a b',
    watched: true,
    is: { status: 'regression', regressions: ['b missing'] },
  },
  'a missing suite is a regression': {
    result: 'ok',
    base: 'a b',
    restored: 'a !b',
    is: { status: 'regression', regressions: ['* missing'], overridden: ['b fails'] },
  },
  'an edited command that names no tests is judged by the exit code of its base version': {
    result: 'ok',
    base: 'ok',
    restored: 'red',
    is: { status: 'pass', regressions: [], overridden: ['* fails'] },
  },
  'a test that fails only once when restored is flaky': {
    result: 'a b',
    base: 'a b',
    restored: 'a !b',
    restoredAgain: 'a b',
    is: { status: 'pass', regressions: [], flaky: ['b'] },
  },
};

describe('a check', () => {
  it.each(Object.entries(CASES))('%s', (_, { is, asked, ...of }) => {
    const played = play(of);
    expect(said(played.comparison)).toEqual(is);
    if (asked) expect(played.asked).toEqual(asked);
  });

  const outcome = fc
    .array(fc.constantFrom('a', '!a', '-a', 'b', '!b', 'c', '!c'), { minLength: 1, maxLength: 3 })
    .map(words => words.join(' '));
  const any = fc.oneof(outcome, fc.constantFrom('ok', 'red', 'broken', 'silent'));

  it('never passes if it fails twice on the result and passes twice on base, and runs at most six times', () => {
    fc.assert(
      fc.property(any, any, any, any, any, any, fc.boolean(), (...given) => {
        const [result, again, base, baseAgain, restored, restoredAgain, changed] = given;
        const of = { result, again, base, baseAgain, ...(changed && { restored, restoredAgain }) };
        const { comparison, asked } = play(of);
        expect(asked.length).toBeLessThanOrEqual(6);
        const machines = [result, again, base, baseAgain].map(text => run(text).machine);
        const [one, two, three, four] = machines;
        if (one !== 'pass' && two !== 'pass' && three === 'pass' && four === 'pass')
          expect(comparison.status).toBe('regression');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a check that fails on base too and names no tests', () => {
  const counted = (failed: number): CheckRun => ({ ...run('red'), counts: { failed } });
  const status = (result: CheckRun, base: CheckRun) => {
    const found = compare({
      result: [result, result],
      base: [base, base],
      restored: [],
      inputsChanged: false,
      restorable: false,
    });
    return 'comparison' in found ? found.comparison.status : found.next;
  };

  it('counts as a regression when it reports more failures on the result than on base', () => {
    expect(status(counted(3), counted(2))).toBe('regression');
    expect(status(counted(2), counted(2))).toBe('red-on-base');
    expect(status(counted(3), run('red'))).toBe('red-on-base');
  });
});

describe('a check whose test names differ each time', () => {
  const status = (result: string, again: string) =>
    play({ result, again, base: '!x1 a1 b1 c1', baseAgain: '!x2 a2 b2 c2' }).comparison.status;

  it('counts as a regression when more tests fail in every run on the result than in any run on base', () => {
    expect(status('!x3 !a3 !b3 c3', '!x4 !a4 !b4 c4')).toBe('regression');
    expect(status('!x3 a3 b3 c3', '!x4 a4 b4 c4')).toBe('red-on-base');
    expect(status('!x3 !a3 b3 c3', '!x4 a4 b4 c4')).toBe('red-on-base');
  });
});
