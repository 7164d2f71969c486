/** The result of Dure's own test run for the currently sealed tree, from the recorded events, never from a file. */
import type { CheckResult } from '../../formats/checks.ts';
import type { RunState } from '../../formats/state.ts';
import type { TestCounts, TestOutput } from '../../formats/tests.ts';
import { sealedResult, stepThatYields } from './pipeline.ts';
import { type CeilingInput, NO_PROOF } from './verdict-ceiling.ts';

export interface TestResultSoFar {
  readonly machine: TestOutput['machine'];
  readonly exit_code: number | null;
  readonly test_results: TestCounts;
  readonly coverage?: number;
  readonly changed_coverage?: number;
  readonly unmeasured?: readonly string[];
  readonly sandbox?: TestOutput['sandbox'];
  readonly no_sandbox_because?: string;
}

/** How a pack describes the decision to accept a result. */
export function acceptedAs(s: RunState): string {
  if (testResultOf(s)?.machine !== 'pass') return 'accepted without proof';
  return s.verdict === null ? 'accepted without a verdict' : 'accepted although it did not pass';
}

/** Null if the tests have not run on exactly this tree. */
export function testResultOf(s: RunState): TestResultSoFar | null {
  if (s.tests === null || s.tests.tree !== sealedResult(s)?.tree) return null;
  const { machine, exit_code, total, passed, failed, skipped, coverage, changed_coverage } = s.tests;
  const { sandbox, no_sandbox_because, unmeasured } = s.tests;
  return {
    machine: machine as TestResultSoFar['machine'],
    exit_code,
    test_results: { total, passed, failed, skipped },
    ...(coverage !== null && { coverage }),
    ...(changed_coverage !== undefined && { changed_coverage }),
    ...(unmeasured && { unmeasured }),
    ...(sandbox && { sandbox }),
    ...(no_sandbox_because && { no_sandbox_because }),
  };
}

/** What limits the verdict. */
export const proofOf = (s: RunState): CeilingInput | null =>
  stepThatYields(s.setup, 'proof') ? testResultOf(s) : NO_PROOF;

/** The results of the project's own checks, if they ran on exactly this tree. */
export const checksOf = (s: RunState): readonly CheckResult[] =>
  s.checks?.tree === sealedResult(s)?.tree ? (s.checks?.checks ?? []) : [];
