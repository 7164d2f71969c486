/** Lists the broken versions of the result that make each test fail in a way that counts as evidence. Pure. */
import type { TestRuns } from '../../core/policy/criteria/test-outcomes.ts';
import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import { type Errors, isEvidence } from './variants/failures-as-evidence.ts';

/** `tests`: the tests for which everything was tried; each is listed, even if nothing makes it fail. */
export function killsIn(
  { kills }: Pick<Exam, 'kills'>,
  errors: Errors,
  tests: readonly string[],
): NonNullable<TestRuns['kills']> {
  const found = new Map<string, string[]>(tests.map(test => [test, []]));
  for (const kill of kills)
    if (isEvidence(kill, errors)) found.set(kill.test, [...(found.get(kill.test) ?? []), kill.by.join('+')]);
  return found;
}
