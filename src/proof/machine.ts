/**
 * What the machine says of the tests. Pure. Only `pass` is a pass: the command ended with 0, at least one test ran, and
 * none failed, as a whole report says or an exit code that would tell of a failure. A command that could not do its work
 * is told apart from tests that failed.
 */
import { constants } from 'node:os';
import type { TestConfig, TestCounts, TestOutput } from '../formats/tests.ts';
import type { Results } from './report.ts';

export interface Ending {
  /** Null when a signal or the time limit ended it. */
  readonly exit_code: number | null;
  readonly signal?: string | null;
  readonly timedOut: boolean;
  readonly spawnError: string | null;
  /** Null when no report was found. */
  readonly results: Results | null;
  readonly framework: TestConfig['test_framework'];
  /** Test files of which no test was reported. */
  readonly silent?: readonly string[];
  /** True when the tests would have reported something. */
  readonly unheard?: boolean;
  /** False when the command may end with 0 though a test failed. */
  readonly tellsFailure: boolean;
}

export interface Judgement {
  readonly machine: TestOutput['machine'];
  /** Why it could not run, in plain words. */
  readonly problem?: string;
  readonly counts?: TestCounts;
}

const UNHEARD =
  'its exit code need not be that of the tests: print a whole JSON, TAP or JUnit report, or let the command end with the tests, what comes before joined by && and nothing after them (no |, no ;, no || true)';
const SILENT =
  'the tests reported nothing: they ended early, or their report was not printed (print JSON, TAP or JUnit)';
const CUT =
  'its report is cut: print or write all of it (TAP with its plan and every test, XML and JSON to their end), not through head, tail or grep';

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** A shell says by 128 + n that signal n ended what it ran. */
const signalOf = (code: number): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];

export function judge(ending: Ending): Judgement {
  const { exit_code: code, results, framework } = ending;
  const counts = results?.counts;
  const couldNotRun = (problem: string): Judgement => ({
    machine: 'could-not-run',
    problem,
    ...(counts && { counts }),
  });

  if (ending.spawnError !== null)
    return couldNotRun(`the command could not be started: ${ending.spawnError}`);
  if (ending.timedOut) return couldNotRun('the tests did not end within the time limit');
  if (code === null) return couldNotRun(`the command was ended by ${ending.signal ?? 'a signal'}`);
  if (code === NOT_FOUND) return couldNotRun('a command was not found (exit code 127)');
  if (code === NOT_EXECUTABLE) return couldNotRun('a command could not be executed (exit code 126)');

  if (counts) {
    if (counts.failed > 0) return { machine: 'fail', counts };
    if (ending.silent?.length)
      return couldNotRun(`${ending.silent.join(', ')} ended before its tests had run`);
    if (Math.min(counts.passed, counts.total - counts.skipped) < 1) return couldNotRun('no test ran');
    if (results?.doubt === 'cut') return couldNotRun(CUT);
    if (code !== 0) return couldNotRun(`the command ended with ${code} though no test failed`);
    if (results?.doubt === 'summary' && !ending.tellsFailure) return couldNotRun(UNHEARD);
    return { machine: 'pass', counts };
  }

  if (framework !== 'custom') {
    return couldNotRun(`the output holds no report of ${framework} that can be read (exit code ${code})`);
  }
  const signal = signalOf(code);
  if (signal) return couldNotRun(`the command was ended by ${signal}`);
  if (code === 0 && ending.unheard) return couldNotRun(SILENT);
  if (code === 0 && !ending.tellsFailure) return couldNotRun(UNHEARD);
  // With no report to read, the exit code is the result, as of one test.
  return code === 0
    ? { machine: 'pass', counts: { total: 1, passed: 1, failed: 0, skipped: 0 } }
    : { machine: 'fail', counts: { total: 1, passed: 0, failed: 1, skipped: 0 } };
}
