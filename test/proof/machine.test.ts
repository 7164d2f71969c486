import { describe, expect, it } from 'vitest';
import { type Ending, judge } from '../../src/proof/machine.ts';

const results = (passed: number, failed: number, skipped = 0) => ({
  counts: { total: passed + failed + skipped, passed, failed, skipped },
  failures: [],
});
const ending = (changes: Partial<Ending>): Ending => ({
  exit_code: 0,
  timedOut: false,
  spawnError: null,
  results: null,
  framework: 'vitest',
  tellsFailure: true,
  ...changes,
});
const could = (problem: string) => ({ machine: 'could-not-run', problem: expect.stringContaining(problem) });

describe('the machine', () => {
  it('passes only when the command ended well, a test ran and none failed', () => {
    expect(judge(ending({ results: results(3, 0, 1) }))).toEqual({
      machine: 'pass',
      counts: { total: 4, passed: 3, failed: 0, skipped: 1 },
    });
  });

  it('believes a failure that was reported, whatever the exit code says', () => {
    expect(judge(ending({ results: results(9, 1) })).machine).toBe('fail');
    expect(judge(ending({ exit_code: 1, results: results(9, 1) })).machine).toBe('fail');
    expect(judge(ending({ exit_code: 9, results: results(0, 9), framework: 'mocha' })).machine).toBe('fail');
  });

  it('does not call it a pass when the command failed though no test did', () => {
    expect(judge(ending({ exit_code: 1, results: results(3, 0) }))).toMatchObject(
      could('the command ended with 1 though no test failed'),
    );
  });

  it('does not call it a pass when no test ran', () => {
    for (const none of [results(0, 0), results(0, 0, 5)]) {
      expect(judge(ending({ results: none }))).toMatchObject(could('no test ran'));
      expect(judge(ending({ results: none, framework: 'custom' }))).toMatchObject(could('no test ran'));
      expect(judge(ending({ exit_code: 1, results: none }))).toMatchObject(could('no test ran'));
    }
  });

  it('says why the command could not do its work', () => {
    const passed = results(3, 0);
    expect(judge(ending({ exit_code: 127 }))).toMatchObject(could('not found'));
    expect(judge(ending({ exit_code: 126, framework: 'custom' }))).toMatchObject(
      could('could not be executed'),
    );
    expect(judge(ending({ exit_code: null, timedOut: true, results: passed }))).toMatchObject(
      could('time limit'),
    );
    expect(judge(ending({ exit_code: null, signal: 'SIGSEGV', results: passed }))).toMatchObject(
      could('SIGSEGV'),
    );
    expect(judge(ending({ exit_code: null, spawnError: 'no such folder' }))).toMatchObject(
      could('no such folder'),
    );
    expect(judge(ending({ exit_code: 137, framework: 'custom' }))).toMatchObject(could('SIGKILL'));
  });

  it('needs a report of the frameworks that can write one', () => {
    for (const framework of ['vitest', 'jest', 'mocha'] as const) {
      expect(judge(ending({ framework }))).toMatchObject(could(`no report of ${framework}`));
      expect(judge(ending({ framework, exit_code: 1 }))).toMatchObject(could(`no report of ${framework}`));
    }
  });

  it('takes the exit code of a custom command as one test when there is nothing to read', () => {
    expect(judge(ending({ framework: 'custom' }))).toEqual({
      machine: 'pass',
      counts: { total: 1, passed: 1, failed: 0, skipped: 0 },
    });
    expect(judge(ending({ framework: 'custom', exit_code: 2 }))).toEqual({
      machine: 'fail',
      counts: { total: 1, passed: 0, failed: 1, skipped: 0 },
    });
  });

  it('does not take an exit code of 0 for a pass when the command may hide that of the tests', () => {
    const hidden = { framework: 'custom', tellsFailure: false } as const;
    expect(judge(ending(hidden))).toEqual(could('let the command end with the tests'));
    expect(judge(ending({ ...hidden, exit_code: 1 })).machine).toBe('fail');
    expect(judge(ending({ ...hidden, results: results(3, 0) })).machine).toBe('pass');
  });

  it('believes a summary for people only beside an exit code that tells of failures', () => {
    const summary = { results: { ...results(3, 0), doubt: 'summary' } } as const;
    expect(judge(ending(summary)).machine).toBe('pass');
    expect(judge(ending({ ...summary, tellsFailure: false }))).toMatchObject(could('its exit code'));
  });

  it('never passes on a report that was cut, but believes a failure that is in it', () => {
    expect(judge(ending({ results: { ...results(3, 0), doubt: 'cut' } }))).toMatchObject(
      could('its report is cut'),
    );
    expect(judge(ending({ results: { ...results(3, 1), doubt: 'cut' } })).machine).toBe('fail');
  });
});
