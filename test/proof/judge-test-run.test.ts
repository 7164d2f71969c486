import { describe, expect, it } from 'vitest';
import { judgeTests, type TestCommandEnd } from '../../src/proof/judge-test-run.ts';

const results = (passed: number, failed: number, skipped = 0) => ({
  counts: { total: passed + failed + skipped, passed, failed, skipped },
  failures: [],
});
const ending = (changes: Partial<TestCommandEnd>): TestCommandEnd => ({
  exit_code: 0,
  signal: null,
  timedOut: false,
  spawnError: null,
  results: null,
  framework: 'vitest',
  revealsFailure: true,
  ...changes,
});
const could = (problem: string) => ({ machine: 'could-not-run', problem: expect.stringContaining(problem) });

describe("the machine's judgement", () => {
  it('is `pass` only when the command exited with 0, a test ran and none failed', () => {
    expect(judgeTests(ending({ results: results(3, 0, 1) }))).toEqual({
      machine: 'pass',
      counts: { total: 4, passed: 3, failed: 0, skipped: 1 },
    });
  });

  it('is `fail` for a reported failure, whatever the exit code', () => {
    expect(judgeTests(ending({ results: results(9, 1) })).machine).toBe('fail');
    expect(judgeTests(ending({ exit_code: 1, results: results(9, 1) })).machine).toBe('fail');
    expect(judgeTests(ending({ exit_code: 9, results: results(0, 9), framework: 'mocha' })).machine).toBe(
      'fail',
    );
  });

  it('is not `pass` if the command failed although no test did', () => {
    expect(judgeTests(ending({ exit_code: 1, results: results(3, 0) }))).toMatchObject(
      could('the command exited with code 1 although no test failed'),
    );
  });

  it('is not `pass` when no test ran', () => {
    for (const none of [results(0, 0), results(0, 0, 5)]) {
      expect(judgeTests(ending({ results: none }))).toMatchObject(could('no tests ran'));
      expect(judgeTests(ending({ results: none, framework: 'custom' }))).toMatchObject(could('no tests ran'));
      expect(judgeTests(ending({ exit_code: 1, results: none }))).toMatchObject(could('no tests ran'));
    }
  });

  it('reports why the command could not run', () => {
    const passed = results(3, 0);
    expect(judgeTests(ending({ exit_code: 127 }))).toMatchObject(could('not found'));
    expect(judgeTests(ending({ exit_code: 126, framework: 'custom' }))).toMatchObject(
      could('could not be executed'),
    );
    expect(judgeTests(ending({ exit_code: null, timedOut: true, results: passed }))).toMatchObject(
      could('time limit'),
    );
    expect(judgeTests(ending({ exit_code: null, signal: 'SIGSEGV', results: passed }))).toMatchObject(
      could('SIGSEGV'),
    );
    expect(judgeTests(ending({ exit_code: null, spawnError: 'no such folder' }))).toMatchObject(
      could('no such folder'),
    );
    expect(judgeTests(ending({ exit_code: 137, framework: 'custom' }))).toMatchObject(could('SIGKILL'));
  });

  it('requires a report from frameworks that can write one', () => {
    for (const framework of ['vitest', 'jest', 'mocha'] as const) {
      expect(judgeTests(ending({ framework }))).toMatchObject(could(`no readable ${framework} report`));
      expect(judgeTests(ending({ framework, exit_code: 1 }))).toMatchObject(
        could(`no readable ${framework} report`),
      );
    }
  });

  it('counts the exit code of a custom command as one test if there is no report', () => {
    expect(judgeTests(ending({ framework: 'custom' }))).toEqual({
      machine: 'pass',
      counts: { total: 1, passed: 1, failed: 0, skipped: 0 },
    });
    expect(judgeTests(ending({ framework: 'custom', exit_code: 2 }))).toEqual({
      machine: 'fail',
      counts: { total: 1, passed: 0, failed: 1, skipped: 0 },
    });
  });

  it('is not `pass` because of exit code 0 alone if the command may hide the exit code of the tests', () => {
    const hidden = { framework: 'custom', revealsFailure: false } as const;
    expect(judgeTests(ending(hidden))).toEqual(could('make the tests the last part of the command'));
    expect(judgeTests(ending({ ...hidden, exit_code: 1 })).machine).toBe('fail');
    expect(judgeTests(ending({ ...hidden, results: results(3, 0) })).machine).toBe('pass');
  });

  it('relies on a console summary only with an exit code that reveals failures', () => {
    const summary = { results: { ...results(3, 0), doubt: 'summary' } } as const;
    expect(judgeTests(ending(summary)).machine).toBe('pass');
    expect(judgeTests(ending({ ...summary, revealsFailure: false }))).toMatchObject(could('its exit code'));
  });

  it('is never `pass` for a truncated report, but is `fail` if the report contains a failure', () => {
    expect(judgeTests(ending({ results: { ...results(3, 0), doubt: 'cut' } }))).toMatchObject(
      could('its report is truncated'),
    );
    expect(judgeTests(ending({ results: { ...results(3, 1), doubt: 'cut' } })).machine).toBe('fail');
  });
});
