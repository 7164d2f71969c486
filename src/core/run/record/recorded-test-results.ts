/**
 * Reads the test output and the test cases of the current result. An agent may have modified these files since Dure
 * recorded the result, or they may be about an earlier result, so they count only if they agree with the record.
 */
import type { RunFiles } from '../../../formats/layout.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { type TestCases, testCasesFile } from '../../../formats/test-cases.ts';
import { type TestOutput, testOutputFile } from '../../../formats/test-config-and-results.ts';
import { testResultOf } from '../../policy/state/current-results.ts';

/** Null if no tests ran on this result, or if the file is missing, invalid or about a different test run. */
export async function recordedTestOutput(files: RunFiles, s: RunState): Promise<TestOutput | null> {
  const read = await readValue(testOutputFile, files.testOutput);
  if (!read || !isOfResult(read, s)) return null;
  return (read.test_results?.failed ?? 0) === s.tests?.failed ? read : null;
}

/** Reads the test cases of the result, not of base. Returns null in the same cases as `recordedTestOutput`. */
export async function recordedTestCases(files: RunFiles, s: RunState): Promise<TestCases | null> {
  const read = await readValue(testCasesFile, files.testCases);
  return read?.side === 'head' && isOfResult(read, s) ? read : null;
}

const isOfResult = (
  { tree, tests_tree, machine }: Pick<TestOutput, 'tree' | 'tests_tree' | 'machine'>,
  s: RunState,
): boolean =>
  testResultOf(s) !== null &&
  tree === s.tests?.tree &&
  tests_tree === s.tests.tests_tree &&
  machine === s.tests.machine;
