/** Determines the result of running the tests on a variant: which tests failed, and how. Pure. */
import type { FailedTest, VariantResult } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import type { FailureKind, TestCaseResult, TestCases } from '../../../formats/test-cases.ts';

/** Ids of the tests that pass. */
export const passing = ({ cases }: TestCases): Set<string> =>
  new Set(cases.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id));

const STRENGTH: readonly FailureKind[] = ['assert', 'error', 'timeout', 'load'];

export function variantResult(onHead: ReadonlySet<string>, { cases, ended }: TestCases): VariantResult {
  const seen = new Map<string, TestCaseResult>(cases.map(each => [each.id, each]));
  const failures = [...onHead]
    .flatMap((id): FailedTest[] => {
      const { outcome, failure = 'error', line } = seen.get(id) ?? {};
      return outcome === 'fail' ? [{ test: id, failure, ...(line !== undefined && { line }) }] : [];
    })
    .sort((a, b) => STRENGTH.indexOf(a.failure) - STRENGTH.indexOf(b.failure));
  const missing = [...onHead].some(id => !seen.has(id));
  const notLoaded =
    cases.some(({ failure }) => failure === 'load') || (missing && !ended && cases.length === 0);
  if (failures[0]?.failure === 'assert') return { failures, result: 'assert' };
  if (notLoaded) return { failures, result: 'load' };
  const isGreen = [...onHead].every(id => seen.get(id)?.outcome === 'pass');
  return { failures, result: isGreen ? 'green' : 'red' };
}
