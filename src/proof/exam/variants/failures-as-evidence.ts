/** Decides which failures show that a test noticed what was broken. Pure. */

import type { FailedTest } from '../../../formats/exam/runs-of-unfinished-exam.ts';
import type { FailureKind, TestCases } from '../../../formats/test-cases.ts';

/** Error messages by test id, for tests that end with an error or time out on base. */
export type Errors = ReadonlyMap<string, string>;

const IS_ERROR: ReadonlySet<FailureKind | undefined> = new Set(['error', 'timeout']);

export const errorsIn = ({ cases }: Pick<TestCases, 'cases'>): Errors =>
  new Map(
    cases.flatMap(({ id, failure, line }) =>
      IS_ERROR.has(failure) && line !== undefined ? [[id, line]] : [],
    ),
  );

/**
 * A failed assertion shows that a test checks what was broken, and so does the error with which the test fails
 * on base: the old code threw it, and the test says that the new code must not. The same applies to a test that waits
 * on base for something that never happens there.
 */
export const isNoticed = ({ test, failure, line }: FailedTest, errors: Errors): boolean =>
  failure === 'assert' || (IS_ERROR.has(failure) && line !== undefined && line === errors.get(test));

/**
 * Whether a test that noticed what was broken is evidence for its criterion. An error thrown because a name or
 * a parameter does not exist yet shows only that the test calls the new code.
 */
export const isEvidence = (failed: FailedTest, errors: Errors): boolean =>
  isNoticed(failed, errors) &&
  !(failed.failure === 'error' && NOT_THERE_YET.test(failed.line!) && !isOfOwnFunction(failed));

/**
 * Python qualifies the name of a function: `test_a.<locals>.f() takes 1 positional argument`. A function that the test
 * itself defines exists on base too, so the error shows how the tested code called it.
 */
function isOfOwnFunction({ test, line }: FailedTest): boolean {
  const name = /(\w+)(?:\[[^\n]*\])?$/.exec(test)?.[1];
  const defines = /(\w+)\.<locals>\.[^(]*\(\)/.exec(line!)?.[1];
  return name !== undefined && name === defines;
}

/** Matches errors of Python, JavaScript and mocks about a name or parameter that does not exist. */
const NOT_THERE_YET =
  /unexpected keyword argument|takes .*positional argument|missing \d+ required|(?<!'NoneType' object) has no attribute|cannot import name|No module named|name '.*' is not defined|is not (?:a function|a constructor|defined)\b|does not provide an export|does not have the attribute|must be a method|does not exist in the provided object|non-existent property/;
