import { describe, expect, it } from 'vitest';
import { ceiling } from '../../src/core/policy/verdict/verdict-ceiling.ts';
import type { TestOutput } from '../../src/formats/test-config-and-results.ts';
import fc from '../helpers/fast-check-seed.ts';

const output = (machine: TestOutput['machine'], changes: Partial<TestOutput> = {}): TestOutput => ({
  exit_code: 0,
  stdout: '',
  stderr: '',
  duration_ms: 1,
  executed_at: '2026-01-31T14:22:33.000Z',
  machine,
  failures: [],
  command: 'true',
  tree: '',
  tests_tree: '',
  ...changes,
});
const failing = (failed: number, total: number) =>
  output('fail', { test_results: { total, passed: total - failed, failed, skipped: 0 } });
const strict = { tests_passing: true, min_test_coverage: 80 };
const lenient = { tests_passing: false, min_test_coverage: 80 };
const rule = (verdict: string, tested: TestOutput | null, criteria = strict) =>
  ceiling(verdict, tested, criteria);

describe('the ceiling', () => {
  it('keeps a verdict that the test result supports', () => {
    for (const verdict of ['PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN']) {
      expect(rule(verdict, output('pass'))).toEqual({ verdict, lowered: null, back_to: 'tree' });
    }
  });

  it('lowers a PASS with few failing tests to MINOR_FAIL, and with many to FAIL', () => {
    expect(rule('PASS', failing(1, 10)).verdict).toBe('MINOR_FAIL');
    expect(rule('PASS', failing(5, 50)).verdict).toBe('MINOR_FAIL');
    expect(rule('PASS', failing(1, 9)).verdict).toBe('FAIL');
    expect(rule('PASS', failing(6, 1000)).verdict).toBe('FAIL');
    expect(rule('PASS', output('fail')).verdict).toBe('FAIL');
    expect(rule('PASS', failing(1, 10)).lowered).toBe('PASS became MINOR_FAIL: 1 of 10 tests failed');
  });

  it('lowers a MINOR_FAIL with too many failing tests to FAIL', () => {
    expect(rule('MINOR_FAIL', failing(2, 4)).verdict).toBe('FAIL');
    expect(rule('MINOR_FAIL', failing(1, 10))).toMatchObject({ verdict: 'MINOR_FAIL', lowered: null });
  });

  it('lowers PASS and MINOR_FAIL to FAIL when the tests did not run, even if they need not pass', () => {
    const never = [null, output('not-run'), output('could-not-run', { problem: 'no tests ran' })];
    for (const tested of never) {
      for (const criteria of [strict, lenient]) {
        expect(rule('PASS', tested, criteria).verdict).toBe('FAIL');
        expect(rule('MINOR_FAIL', tested, criteria).verdict).toBe('FAIL');
      }
    }
    expect(rule('PASS', never[2]!).lowered).toContain('no tests ran');
  });

  it('accepts failing tests when they are not required to pass', () => {
    expect(rule('PASS', failing(9, 10), lenient).verdict).toBe('PASS');
  });

  it('lowers a PASS with too little coverage to MINOR_FAIL, and ignores unknown coverage', () => {
    expect(rule('PASS', output('pass', { changed_coverage: 79.9 }))).toEqual({
      verdict: 'MINOR_FAIL',
      lowered:
        'PASS became MINOR_FAIL: 79.9% of the added and changed lines are covered, below the minimum of 80%',
      back_to: 'tests',
    });
    expect(rule('PASS', output('pass', { changed_coverage: 80 })).verdict).toBe('PASS');
    expect(rule('MINOR_FAIL', output('pass', { changed_coverage: 10 })).verdict).toBe('MINOR_FAIL');
    expect(rule('PASS', output('pass'))).toMatchObject({ verdict: 'PASS', lowered: null });
    // The coverage of all lines says nothing about the change.
    expect(rule('PASS', output('pass', { coverage: 1 })).verdict).toBe('PASS');
  });

  it('determines where the work goes back to, and never sends it to a Builder with nothing to change', () => {
    const to = (verdict: string, tested: TestOutput | null, fault?: 'code' | 'tests') =>
      ceiling(verdict, tested, strict, fault).back_to;
    const stuck = output('could-not-run');
    for (const verdict of ['PASS', 'MINOR_FAIL', 'FAIL']) {
      expect(to(verdict, null)).toBe('tests');
      expect(to(verdict, stuck)).toBe('tests');
      expect(to(verdict, { ...stuck, back_to: 'setup' })).toBe('setup');
    }
    expect(to('PASS', failing(1, 10))).toBe('tree');
    expect(to('FAIL', output('pass'))).toBe('tree');
    expect(to('PASS', failing(1, 10), 'tests')).toBe('tests');
    expect(to('FAIL', failing(9, 10), 'tests')).toBe('tests');
    expect(to('FAIL', output('pass'), 'tests')).toBe('tests');
    expect(to('FAIL', failing(1, 10), 'code')).toBe('tree');
    expect(to('PASS', output('pass', { changed_coverage: 10 }))).toBe('tests');
    // The Builder goes first, because its changes are tested again anyway.
    expect(to('PASS', { ...failing(1, 10), changed_coverage: 10 })).toBe('tree');
    expect(to('FAIL', output('pass', { changed_coverage: 10 }))).toBe('tree');
  });

  it('never raises a verdict, and changes nothing when applied again to its own result', () => {
    const rank = ['FAIL', 'MINOR_FAIL', 'PASS'];
    const count = fc.nat({ max: 40 });
    const outputs = fc.option(
      fc
        .record({
          machine: fc.constantFrom('pass', 'fail', 'could-not-run', 'not-run' as const),
          passed: count,
          failed: count,
          skipped: count,
          counted: fc.boolean(),
          coverage: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
        })
        .map(({ machine, passed, failed, skipped, counted, coverage }) =>
          output(machine as TestOutput['machine'], {
            ...(counted && { test_results: { total: passed + failed + skipped, passed, failed, skipped } }),
            ...(coverage !== undefined && { changed_coverage: coverage, coverage: 0 }),
          }),
        ),
    );
    const criteria = fc.record({ tests_passing: fc.boolean(), min_test_coverage: fc.nat({ max: 100 }) });
    const verdicts = fc.oneof(fc.constantFrom('PASS', 'MINOR_FAIL', 'FAIL', 'NEEDS_HUMAN'), fc.string());
    fc.assert(
      fc.property(verdicts, outputs, criteria, (verdict, tested, asked) => {
        const ruled = ceiling(verdict, tested, asked);
        if (!rank.includes(verdict) || verdict === 'FAIL') expect(ruled.verdict).toBe(verdict);
        else expect(rank.indexOf(ruled.verdict)).toBeLessThanOrEqual(rank.indexOf(verdict));
        expect(ruled.lowered === null).toBe(ruled.verdict === verdict);
        if (ruled.verdict === 'PASS' && asked.tests_passing) expect(tested?.machine).toBe('pass');
        expect(ceiling(ruled.verdict, tested, asked).verdict).toBe(ruled.verdict);
      }),
    );
  });
});
