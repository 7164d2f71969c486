/**
 * The files about the tests of the current result. An agent may have written to them since Dure recorded the result,
 * or they are about an earlier one, so they count only if they agree with the record.
 */
import type { RunFiles } from '../../../formats/layout.ts';
import { readFormat } from '../../../formats/read-and-write-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { type TestCases, testCasesFile } from '../../../formats/test-cases.ts';
import { type TestOutput, testOutputFile } from '../../../formats/test-run-files.ts';
import { testResultOf } from '../../policy/state/current-results.ts';

/** Null if no tests ran on this result, or if the file is about others. */
export async function recordedTestOutput(files: RunFiles, s: RunState): Promise<TestOutput | null> {
  const read = await readFormat(testOutputFile, files.testOutput);
  if (read.is !== 'value' || !isOfResult(read.value, s)) return null;
  return (read.value.test_results?.failed ?? 0) === s.tests?.failed ? read.value : null;
}

/** The cases of the result, not of its base. Null as for `recordedTestOutput`. */
export async function recordedTestCases(files: RunFiles, s: RunState): Promise<TestCases | null> {
  const read = await readFormat(testCasesFile, files.testCases);
  return read.is === 'value' && read.value.side === 'head' && isOfResult(read.value, s) ? read.value : null;
}

const isOfResult = (
  { tree, tests_tree, machine }: Pick<TestOutput, 'tree' | 'tests_tree' | 'machine'>,
  s: RunState,
): boolean =>
  testResultOf(s) !== null &&
  tree === s.tests?.tree &&
  tests_tree === s.tests.tests_tree &&
  machine === s.tests.machine;
