/** The result of running the tests on a variant: which tests failed, and how. Pure. */
import type { FailedTest, VariantResult } from '../../formats/exam-runs.ts';
import type { Red, TestCases, TestFate } from '../../formats/test-cases.ts';

/** Ids of the tests that pass. */
export const passing = ({ cases }: TestCases): Set<string> =>
  new Set(cases.filter(({ fate }) => fate === 'pass').map(({ id }) => id));

/** The messages with which tests fail on base with an error or because they do not end, keyed by test. */
export type Errors = ReadonlyMap<string, string>;

const IS_ERROR: ReadonlySet<Red | undefined> = new Set(['error', 'timeout']);

export const errorsIn = ({ cases }: Pick<TestCases, 'cases'>): Errors =>
  new Map(
    cases.flatMap(({ id, red, line }) => (IS_ERROR.has(red) && line !== undefined ? [[id, line]] : [])),
  );

/**
 * A failed assertion shows that a test checks what was broken, and so does the error with which the test fails
 * on base: the old code threw it, and the test says that the new code must not. The same applies to a test that waits
 * on base for something that never happens there.
 */
export const isNoticed = ({ test, red, line }: FailedTest, errors: Errors): boolean =>
  red === 'assert' || (IS_ERROR.has(red) && line !== undefined && line === errors.get(test));

/**
 * Whether a test that noticed what was broken is evidence for its criterion. An error because a name or a parameter
 * does not exist yet shows only that the test calls the new code.
 */
export const isEvidence = (failure: FailedTest, errors: Errors): boolean =>
  isNoticed(failure, errors) && !(failure.red === 'error' && NOT_THERE_YET.test(failure.line!));

/** Messages of Python and JavaScript, and of mocks that replace a function. */
const NOT_THERE_YET =
  /unexpected keyword argument|takes .*positional argument|missing \d+ required|(?<!'NoneType' object) has no attribute|cannot import name|No module named|name '.*' is not defined|is not (?:a function|a constructor|defined)\b|does not provide an export|does not have the attribute|must be a method|does not exist in the provided object|non-existent property/;

const STRENGTH: readonly Red[] = ['assert', 'error', 'timeout', 'load'];

export function variantResult(onHead: ReadonlySet<string>, { cases, ended }: TestCases): VariantResult {
  const seen = new Map<string, TestFate>(cases.map(each => [each.id, each]));
  const failures = [...onHead]
    .flatMap((id): FailedTest[] => {
      const { fate: is, red, line } = seen.get(id) ?? {};
      return is === 'fail' ? [{ test: id, red: red ?? 'error', ...(line !== undefined && { line }) }] : [];
    })
    .sort((a, b) => STRENGTH.indexOf(a.red) - STRENGTH.indexOf(b.red));
  const missing = [...onHead].some(id => !seen.has(id));
  const notLoaded = cases.some(({ red }) => red === 'load') || (missing && !ended && cases.length === 0);
  if (failures[0]?.red === 'assert') return { failures, result: 'assert' };
  if (notLoaded) return { failures, result: 'load' };
  const isGreen = [...onHead].every(id => seen.get(id)?.fate === 'pass');
  return { failures, result: isGreen ? 'green' : 'red' };
}
