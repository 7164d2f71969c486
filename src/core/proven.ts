/** What Dure's own run of the tests proved of the result that is sealed now: from the record, never from a file. Pure. */
import type { RunState } from '../formats/state.ts';
import type { TestCounts, TestOutput } from '../formats/tests.ts';

export interface Proven {
  readonly machine: TestOutput['machine'];
  readonly exit_code: number | null;
  readonly test_results: TestCounts;
  readonly coverage?: number;
  readonly changed_coverage?: number;
  readonly sandbox?: TestOutput['sandbox'];
  readonly no_sandbox_because?: string;
}

/** What a person took upon themselves who accepted the result: the tests passed and the verdict was none, or no proof. */
export const acceptedAs = (s: RunState): string =>
  provenResult(s)?.machine === 'pass' ? 'accepted although it did not pass' : 'accepted without proof';

/** Null when the tests were not run on exactly this tree. */
export function provenResult(s: RunState): Proven | null {
  if (s.tests === null || s.tests.tree !== s.sealed['build']?.tree) return null;
  const { machine, exit_code, total, passed, failed, skipped, coverage, changed_coverage } = s.tests;
  const { sandbox, no_sandbox_because } = s.tests;
  return {
    machine: machine as Proven['machine'],
    exit_code,
    test_results: { total, passed, failed, skipped },
    ...(coverage !== null && { coverage }),
    ...(changed_coverage !== undefined && { changed_coverage }),
    ...(sandbox && { sandbox }),
    ...(no_sandbox_because && { no_sandbox_because }),
  };
}
