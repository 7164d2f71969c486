/**
 * Finds the tests that depend on no part of the change except the code that the exam has broken: if such a test never
 * failed in the exam, it shows nothing.
 */
import { isGreen, outcomeIn } from '../../core/policy/criteria/test-outcomes.ts';
import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import type { TestCases } from '../../formats/test-cases.ts';
import { isTest } from '../test-paths.ts';
import type { Change } from './changed-code.ts';
import type { RestoredFiles } from './variants/restore-base-files.ts';

/** Matches tests and other files on which no test of behaviour depends. */
const BESIDE = /(?:^|\/)(?:tests?|__tests__|docs?)\/|\.(?:md|lock)$|(?:^|\/)package-lock\.json$/;

/** Changed files that a test of behaviour may depend on, and that the exam cannot break. */
export const unbrokenFiles = ({ others }: Pick<Change, 'others'>): string[] =>
  others.filter(path => !isTest(path) && !BESIDE.test(path));

/** If only the name or the mode of a file changed, there is nothing to break. */
const hasLines = ({ atoms, head }: Change['code'][number]): boolean => atoms.length > 0 || head === '';

/** Whether the exam has broken all changed code. */
export const isCodeBroken = ({ code }: Pick<Change, 'code'>, { complete }: Pick<Exam, 'complete'>): boolean =>
  complete && code.every(hasLines);

/**
 * Returns the ids of the tests that depend on none of the restored files: they still pass when these files have their
 * contents from base. Empty if some files could not be restored.
 */
export async function testsOfBrokenCode(
  { cases }: TestCases,
  { edits, left }: RestoredFiles,
  runRestored: () => Promise<TestCases>,
): Promise<string[]> {
  const ids = cases.map(({ id }) => id);
  if (left.length > 0) return [];
  if (edits.size === 0) return ids;
  const seen = await runRestored();
  return ids.filter(id => isGreen(outcomeIn(seen, id)));
}
