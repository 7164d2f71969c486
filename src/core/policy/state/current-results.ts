/**
 * Looks up the results of the current sealed tree (tests, exam, checks), and how they limit the verdict. Both come
 * from the recorded events, never from a file.
 */
import type { CheckResult } from '../../../formats/check-results.ts';
import type { RunState } from '../../../formats/state.ts';
import type { TestCounts, TestOutput } from '../../../formats/test-config-and-results.ts';
import { criteriaOf } from '../criteria/briefing-and-feedback-criteria.ts';
import { stepThatYields } from '../pipeline/look-up-steps.ts';
import { type CeilingInput, NO_PROOF } from '../verdict/verdict-ceiling.ts';
import { sealedResult } from './sealed-trees.ts';

type Recorded =
  | 'machine'
  | 'exit_code'
  | 'coverage'
  | 'changed_coverage'
  | 'unmeasured'
  | 'unmeasured_count'
  | 'sandbox'
  | 'no_sandbox_because';
export type TestResultSoFar = Pick<TestOutput, Recorded> & { readonly test_results: TestCounts };

/** Null if the tests have not run on exactly this tree. */
export function testResultOf(s: RunState): TestResultSoFar | null {
  if (s.tests === null || s.tests.tree !== sealedResult(s)?.tree) return null;
  const { total, passed, failed, skipped, coverage, tree: _, tests_tree: __, ...others } = s.tests;
  return {
    ...others,
    test_results: { total, passed, failed, skipped },
    ...(coverage !== null && { coverage }),
  };
}

/** Returns the exam of the tests, if it examined exactly this tree and these tests. */
export const examOf = (s: RunState): RunState['exam'] =>
  s.exam?.tree === sealedResult(s)?.tree && s.exam?.tests_tree === s.tests?.tests_tree ? s.exam : null;

/** Returns what limits the verdict: the test result and the exam. Null if the tests have not run on this tree. */
export function proofOf(s: RunState): CeilingInput | null {
  if (!stepThatYields(s.setup, 'proof')) return NO_PROOF;
  const result = testResultOf(s);
  return result && { ...result, exam: examOf(s) ?? unexamined(s) };
}

function unexamined(s: RunState): CeilingInput['exam'] {
  const criteria = criteriaOf(s)?.map(({ id, kind }) => ({
    id,
    status: kind === 'look' ? ('look' as const) : ('passes' as const),
    reason: 'its tests were not examined',
  }));
  return criteria ? { criteria } : null;
}

/** Returns the results of the project's own checks, if they ran on exactly this tree. */
export const checksOf = (s: RunState): readonly CheckResult[] =>
  s.checks?.tree === sealedResult(s)?.tree ? (s.checks?.checks ?? []) : [];
