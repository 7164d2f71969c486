/**
 * Determines the machine verdict on the tests. Pure. `pass` requires exit code 0, at least one test, and no failure,
 * according to a complete report or to an exit code that cannot hide a failure. A command that could not run is
 * distinguished from tests that failed.
 */
import type { TestConfig, TestCounts, TestOutput } from '../formats/test-config-and-results.ts';
import type { CommandEnd } from '../process/shell-command-types.ts';
import { problemOfEnd, signalProblem } from './command-problem.ts';
import type { TestResults } from './test-results.ts';

export interface TestCommandEnd extends CommandEnd {
  /** Null when no report was found. */
  readonly results: TestResults | null;
  readonly framework: TestConfig['test_framework'];
  /** Test files for which no test was reported. */
  readonly filesWithoutTests?: readonly string[];
  /** Whether a report was expected and none was found. */
  readonly reportMissing?: boolean;
  /** False when the command may exit with 0 although a test failed. */
  readonly revealsFailure: boolean;
}

export interface Judgement {
  readonly machine: TestOutput['machine'];
  /** Why the tests could not run, as shown to the user. */
  readonly problem?: string;
  readonly counts?: TestCounts;
}

const MAY_HIDE_FAILURE =
  'its exit code may hide a failed test: print a complete JSON, TAP or JUnit report, or make the tests the last part of the command, joined by && to what comes before (no |, no ;, no || true)';
const SILENT =
  'the tests reported nothing: they ended early, or their report was not printed (print JSON, TAP or JUnit)';
const CUT =
  'its report is truncated: print or write the complete report (TAP with its plan and every test; XML or JSON up to its last tag or bracket), and do not pipe it through head, tail or grep';

export function judgeTests(ending: TestCommandEnd): Judgement {
  const { exit_code: code, results, framework } = ending;
  const counts = results?.counts;
  const couldNotRun = (problem: string): Judgement => ({
    machine: 'could-not-run',
    problem,
    ...(counts && { counts }),
  });

  const problem = problemOfEnd(ending);
  if (problem !== null) return couldNotRun(problem);

  if (counts) {
    if (counts.failed > 0) return { machine: 'fail', counts };
    if (ending.filesWithoutTests?.length)
      return couldNotRun(`${ending.filesWithoutTests.join(', ')} ended before its tests had run`);
    if (Math.min(counts.passed, counts.total - counts.skipped) < 1) return couldNotRun('no tests ran');
    if (results?.doubt === 'cut') return couldNotRun(CUT);
    if (code !== 0) return couldNotRun(`the command exited with code ${code} although no test failed`);
    if (results?.doubt === 'summary' && !ending.revealsFailure) return couldNotRun(MAY_HIDE_FAILURE);
    return { machine: 'pass', counts };
  }

  if (framework !== 'custom') {
    return couldNotRun(`the output contains no readable ${framework} report (exit code ${code})`);
  }
  const ended = signalProblem(code);
  if (ended !== null) return couldNotRun(ended);
  if (code === 0 && ending.reportMissing) return couldNotRun(SILENT);
  if (code === 0 && !ending.revealsFailure) return couldNotRun(MAY_HIDE_FAILURE);
  // Without a report, the exit code counts as the result of one test.
  return code === 0
    ? { machine: 'pass', counts: { total: 1, passed: 1, failed: 0, skipped: 0 } }
    : { machine: 'fail', counts: { total: 1, passed: 0, failed: 1, skipped: 0 } };
}
