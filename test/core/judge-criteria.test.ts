import { describe, expect, test } from 'vitest';
import { WHOLE_BRIEFING } from '../../src/core/policy/criteria/criterion-tags.ts';
import { type Claims, judgeCriteria } from '../../src/core/policy/criteria/judge-criteria.ts';
import { summarizeCriterionExam } from '../../src/core/policy/criteria/summarize-criterion-exam.ts';
import {
  unclaimedCriteria,
  unclaimedCriteriaMessage,
} from '../../src/core/policy/criteria/unclaimed-criteria.ts';
import type { Criterion } from '../../src/formats/exam/acceptance-criteria.ts';
import type { JudgedCriterion } from '../../src/formats/exam/criteria-report.ts';
import type { TestCaseResult } from '../../src/formats/test-cases.ts';
import { sampleState } from '../helpers/sample-values.ts';

const criterion = (n: number, kind: Criterion['kind'] = 'behaviour'): Criterion => ({
  id: `AC-${n}`,
  kind,
  text: 'a',
});
const head = (cases: Record<string, TestCaseResult['outcome']>, ended = true): Claims['head'] => ({
  tree: 't',
  tests_tree: 'u',
  side: 'head',
  machine: 'pass',
  ended,
  cases: Object.entries(cases).map(([id, outcome]) => ({ id, outcome })),
});
const NOT_REPORTED = 'could-not-run its test was not reported in every test run on the result';
const judged = (list: readonly Criterion[], claims: Partial<Claims>) =>
  judgeCriteria(list, { config: {}, head: null, ...claims }).map(({ id, status, reason }) =>
    [id, status, reason].filter(Boolean).join(' '),
  );

describe('a criterion', () => {
  test('passes if its tests pass, and fails if one of them fails', () => {
    const cases = {
      'a.js::AC-1: one': 'pass',
      'a.js::AC-1, AC-2: two': 'pass',
      'a.js::AC-3': 'pass',
      'a.js::ac 3': 'fail',
    } as const;
    expect(
      judged(
        [1, 2, 3].map(n => criterion(n)),
        { head: head(cases) },
      ),
    ).toEqual(['AC-1 passes', 'AC-2 passes', 'AC-3 fails']);
  });

  test('is not claimed by a file name or a skipped test', () => {
    const cases = { 'ac1.js::adds': 'pass', 'a.js::AC-2': 'skip', 'a.js::AC-3': 'todo' } as const;
    expect(
      judged(
        [1, 2, 3].map(n => criterion(n)),
        { head: head(cases) },
      ),
    ).toEqual([
      'AC-1 not-claimed no reported test names it',
      'AC-2 not-claimed its tests are skipped',
      'AC-3 not-claimed its tests are skipped',
    ]);
  });

  test('is claimed by a title that contains ::', () => {
    const cases = {
      'AC-1: std::vector': 'pass',
      'a.js::AC-2: std::list': 'pass',
      'ac3.js::std::map': 'pass',
    } as const;
    const list = [1, 2, 3].map(n => criterion(n));
    expect(judged(list, { head: head(cases) })).toEqual([
      ...['AC-1 passes', 'AC-2 passes', 'AC-3 not-claimed no reported test names it'],
    ]);
  });

  test('is claimed by the tests that the configuration lists', () => {
    const config = {
      claims: {
        'AC-1': { tests: ['a.js::adds'] },
        'AC-2': { tests: ['a.js::limit > *'] },
        'AC-3': { tests: ['a.js::gone'] },
      },
      not_claimed: { 'AC-4': 'no clock' },
    };
    const cases = { 'a.js::adds': 'pass', 'a.js::limit > one': 'pass', 'a.js::limits': 'fail' } as const;
    expect(
      judged(
        [1, 2, 3, 4].map(n => criterion(n)),
        { config, head: head(cases) },
      ),
    ).toEqual([
      'AC-1 passes',
      'AC-2 passes',
      'AC-3 could-not-run the tests that claim it were not reported',
      'AC-4 not-claimed no clock',
    ]);
  });

  test('is `could-not-run` if the tests were not run, or if they ended before its test was reported', () => {
    expect(judged([criterion(1)], {})).toEqual(['AC-1 could-not-run no tests were recorded on this result']);
    expect(judged([criterion(1)], { head: head({ 'a.js::AC-2': 'pass' }, false) })).toEqual([
      'AC-1 could-not-run no reported test names it, and the report is incomplete',
    ]);
  });

  test('is not claimed if it has the same tests as an earlier criterion', () => {
    expect(judged([criterion(1), criterion(2)], { head: head({ 'AC-1 and AC-2': 'pass' }) })).toEqual([
      'AC-1 passes',
      'AC-2 not-claimed it has the same tests as AC-1',
    ]);
  });

  test('is not proven if one of its tests also claims another criterion and its other test proves nothing', () => {
    const run = (cases: Record<string, 'pass' | 'fail'>) => ({
      ...head({})!,
      cases: Object.entries(cases).map(([id, outcome]) => ({
        id,
        outcome,
        ...(outcome === 'fail' && { failure: 'assert' as const }),
      })),
    });
    const [both, trivial] = ['AC-1 and AC-2: adds', 'AC-2: is there'];
    const passing = run({ [both]: 'pass', [trivial]: 'pass' });
    const without = run({ [both]: 'fail', [trivial]: 'pass' });
    const exam = {
      head: [passing],
      base: [without],
      ghost: without,
      placebo: passing,
      kills: new Map([[both, ['u1']]]),
      problem: null,
      limit: null,
    };
    const list = [criterion(1), criterion(2)];
    expect(judged(list, { head: passing, exam })).toEqual([
      'AC-1 confirmed',
      'AC-2 not-claimed it has the same tests as AC-1',
    ]);
    const counts = judgeCriteria(list, { config: {}, head: passing, exam }).map(each => each.test_counts);
    expect(counts.map(each => each?.proving)).toEqual([1, 0]);
  });

  test('lists failed tests first, then those whose outcome differs between rounds, and skipped ones last', () => {
    const many = (outcome: TestCaseResult['outcome']) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`AC-1: ${outcome} ${n}`, outcome]));
    const rounds = ['pass', 'fail'] as const;
    const cases = rounds.map(outcome => {
      const changing = { 'AC-1: changes': outcome };
      return head({ ...many('skip'), ...many('pass'), ...changing, 'AC-1: fails': 'fail' })!;
    });
    const none = { ghost: null, placebo: null, kills: null, problem: null, limit: null };
    const [judged] = judgeCriteria([criterion(1)], {
      config: {},
      head: cases[0]!,
      exam: { head: cases, base: [], ...none },
    });
    const { status, tests, test_counts } = judged!;
    expect(status).toBe('fails');
    expect(test_counts).toEqual({ total: 122, passed: 60, proving: 0 });
    expect(tests.map(({ id }) => id).slice(0, 3)).toEqual(['AC-1: fails', 'AC-1: changes', 'AC-1: pass 0']);
    expect(tests).toHaveLength(50);
  });

  test('counts all broken versions in which its tests fail, although it lists only some', () => {
    const ids = ['AC-1: one', 'AC-1: two'] as const;
    const cases = (outcome: 'pass' | 'fail') => head(Object.fromEntries(ids.map(id => [id, outcome])))!;
    const versions = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `m${from + n}`);
    const [judged] = judgeCriteria([criterion(1)], {
      config: {},
      head: cases('pass'),
      exam: {
        head: [cases('pass')],
        base: [cases('fail')],
        ghost: cases('fail'),
        placebo: cases('pass'),
        kills: new Map([
          [ids[0], versions(0, 30)],
          [ids[1], versions(25, 40)],
        ]),
        problem: null,
        limit: null,
      },
    });
    const { tests, test_counts } = judged!;
    const listed = tests.map(({ id, killed_by, killed_by_count }) => [
      id,
      killed_by?.length,
      killed_by_count,
    ]);
    expect(listed).toEqual([
      [ids[0], 20, 30],
      [ids[1], 15, undefined],
    ]);
    expect(test_counts.kills).toBe(40);
    expect(summarizeCriterionExam(judged!)).toMatchObject({ noticed: 40 });
  });

  test('lists tests that prove it before tests that also pass without the change', () => {
    const cases = (outcome: 'pass' | 'fail') =>
      head({
        ...Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [`AC-1: as before ${n}`, 'pass'] as const),
        ),
        'AC-1: new': outcome,
      })!;
    const exam = {
      head: [cases('pass')],
      base: [cases('fail')],
      ghost: cases('fail'),
      placebo: cases('pass'),
      kills: new Map([['AC-1: new', ['u1']]]),
      problem: null,
      limit: null,
    };
    const claims = { config: {}, head: cases('pass'), exam };
    const [{ status, tests, test_counts }] = judgeCriteria([criterion(1)], claims) as [JudgedCriterion];
    expect(status).toBe('confirmed');
    expect(tests[0]).toMatchObject({ id: 'AC-1: new', proves: true });
    expect(tests.filter(({ proves }) => proves === false)).toHaveLength(49);
    expect(test_counts).toEqual({ total: 61, passed: 61, proving: 1, kills: 1 });
  });

  test('if no test proves it, gets the reason of the test that comes closest to proving it', () => {
    const cases = (outcome: 'pass' | 'fail') => head({ 'AC-1: as before': 'pass', 'AC-1: new': outcome })!;
    const exam = {
      head: [cases('pass')],
      base: [cases('fail')],
      ghost: cases('fail'),
      placebo: cases('pass'),
      kills: new Map([['AC-1: new', []]]),
      problem: null,
      limit: null,
    };
    expect(judged([criterion(1)], { head: cases('pass'), exam })).toEqual([
      'AC-1 not-claimed no fault that was tried in the change makes an assertion of its test fail',
    ]);
  });

  test.each<[string, string, Record<string, TestCaseResult['outcome']>, boolean]>([
    ['is proven by another test if the name of one changes', 'confirmed', { 'at 12:01': 'pass' }, true],
    ['is `could-not-run` if a test is lost', NOT_REPORTED, {}, true],
    ['is `could-not-run` if a new test fails instead', NOT_REPORTED, { 'at 12:01': 'fail' }, true],
    ['is `could-not-run` if the report is incomplete', NOT_REPORTED, { 'at 12:01': 'pass' }, false],
  ])('%s', (_, expected, second, ended) => {
    const run = (outcome: 'pass' | 'fail', more: typeof second, isEnded = true) => {
      const others = Object.entries(more).map(([name, each]) => [`AC-1: ${name}`, each] as const);
      return head({ 'AC-1: new': outcome, ...Object.fromEntries(others) }, isEnded)!;
    };
    const first = run('pass', { 'at 12:00': 'pass' });
    const exam = {
      head: [first, run('pass', second, ended)],
      base: [run('fail', {})],
      ghost: run('fail', {}),
      placebo: run('pass', {}),
      kills: new Map([['AC-1: new', ['u1']]]),
      problem: null,
      limit: null,
    };
    const claims = { config: {}, head: first, exam };
    expect(judged([criterion(1)], claims)).toEqual([`AC-1 ${expected}`]);
  });

  test('is `could-not-run` if the names of all its tests change from round to round', () => {
    const runs = ['12:00', '12:01'].map(time => head({ [`AC-1: at ${time}`]: 'pass' })!);
    const none = {
      base: [],
      ghost: null,
      placebo: null,
      kills: null,
      problem: null,
      limit: null,
    };
    expect(judged([criterion(1)], { head: runs[0]!, exam: { head: runs, ...none } })).toEqual([
      'AC-1 could-not-run the names of its tests change from run to run',
    ]);
  });

  test('is left to the user if only a person can judge it', () => {
    expect(judged([criterion(1, 'look')], { head: head({ 'AC-1': 'pass' }) })).toEqual(['AC-1 look']);
  });

  test('is judged by all tests if it stands for a whole briefing without criteria', () => {
    expect(judged([WHOLE_BRIEFING], { head: head({ adds: 'pass' }) })).toEqual(['AC-0 passes']);
    expect(judged([WHOLE_BRIEFING], { head: head({}) })).toEqual([
      'AC-0 could-not-run the test command does not report its tests by name (as TAP, JUnit XML or JSON do)',
    ]);
  });
});

describe('tests that claim too little', () => {
  const list = [criterion(1), criterion(2), criterion(3), criterion(4), criterion(5, 'look')];
  test('are reported with the criteria that they do not claim', () => {
    const config = { claims: { 'AC-2': { tests: ['a'] } }, not_claimed: { 'AC-3': 'why' } };
    expect(unclaimedCriteria(list, config, ["test('AC-1: adds', …"])).toEqual(['AC-4']);
  });

  test('are sent back once, and only if a retry is allowed', () => {
    const state = sampleState();
    const retry = { attempts: 1, kinds: ['validation'] };
    const may = { ...state, setup: { ...state.setup, retry } };
    const said = unclaimedCriteriaMessage(['AC-4'], may);
    expect(said).toContain('AC-4');
    expect(unclaimedCriteriaMessage([], may)).toBeNull();
    expect(unclaimedCriteriaMessage(['AC-4'], { ...may, problem: said })).toBeNull();
    expect(unclaimedCriteriaMessage(['AC-4'], { ...may, retries: 1 })).toBeNull();
    expect(
      unclaimedCriteriaMessage(['AC-4'], {
        ...may,
        setup: { ...state.setup, retry: { attempts: 1, kinds: [] } },
      }),
    ).toBeNull();
  });
});
