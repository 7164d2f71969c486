/**
 * Which broken versions of the result make each test fail. Pure. A failed assertion counts, and so does the
 * error with which the test failed on the ghost base: the old code threw it, and the test says that the new
 * code must not.
 */
import type { TestRuns } from '../../core/policy/judge-test.ts';
import type { Exam } from '../../formats/examined-change.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { type Change, isTest } from './changed-code.ts';

export function killsIn(
  { kills }: Pick<Exam, 'kills'>,
  ghost: TestCases | null,
): NonNullable<TestRuns['kills']> {
  const before = new Map(ghost?.cases.map(({ id, red, line }) => [id, red === 'error' ? line : undefined]));
  const found = new Map<string, string[]>();
  for (const { test, red, by, line } of kills) {
    const counts = red === 'assert' || (red === 'error' && line !== undefined && line === before.get(test));
    if (counts) found.set(test, [...(found.get(test) ?? []), by.join('+')]);
  }
  return found;
}

/** Files that no test of behaviour depends on, besides other tests. */
const BESIDE = /(?:^|\/)(?:tests?|__tests__|docs?)\/|\.(?:md|lock)$|(?:^|\/)package-lock\.json$/;

/** A file of which only the name or the mode changed has nothing to break. */
const hasLines = ({ atoms, head }: Change['code'][number]): boolean => atoms.length > 0 || head === '';

/**
 * Whether everything in the change was broken. If so, a test that never failed does not depend on any changed file.
 */
export const isAllBroken = ({ code, others }: Change, { complete }: Pick<Exam, 'complete'>): boolean =>
  complete && others.every(path => isTest(path) || BESIDE.test(path)) && code.every(hasLines);
