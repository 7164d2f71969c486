/** Lists the broken versions of the result that make each test fail in a way that counts. Pure. */
import type { TestRuns } from '../../core/policy/criteria/judge-test.ts';
import type { Exam } from '../../formats/exam/exam-units.ts';
import { isTest } from '../test-paths.ts';
import type { Change } from './changed-code.ts';
import { type Errors, isEvidence } from './variants/variant-result.ts';

export function killsIn({ kills }: Pick<Exam, 'kills'>, errors: Errors): NonNullable<TestRuns['kills']> {
  const found = new Map<string, string[]>();
  for (const kill of kills)
    if (isEvidence(kill, errors)) found.set(kill.test, [...(found.get(kill.test) ?? []), kill.by.join('+')]);
  return found;
}

/** Tests and other files on which no test of behaviour depends. */
const BESIDE = /(?:^|\/)(?:tests?|__tests__|docs?)\/|\.(?:md|lock)$|(?:^|\/)package-lock\.json$/;

/** If only the name or the mode of a file changed, there is nothing to break. */
const hasLines = ({ atoms, head }: Change['code'][number]): boolean => atoms.length > 0 || head === '';

/**
 * Whether everything in the change was broken. If so, a test that never failed does not depend on any changed file.
 */
export const isAllBroken = ({ code, others }: Change, { complete }: Pick<Exam, 'complete'>): boolean =>
  complete && others.every(path => isTest(path) || BESIDE.test(path)) && code.every(hasLines);
