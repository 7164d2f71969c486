/** Lists the broken versions of the result that make each test fail in a way that counts. Pure. */
import type { TestRuns } from '../../core/policy/criteria/test-outcomes.ts';
import type { Exam } from '../../formats/exam/exam-units-and-faults.ts';
import { type Errors, isEvidence } from './variants/failures-as-evidence.ts';

export function killsIn({ kills }: Pick<Exam, 'kills'>, errors: Errors): NonNullable<TestRuns['kills']> {
  const found = new Map<string, string[]>();
  for (const kill of kills)
    if (isEvidence(kill, errors)) found.set(kill.test, [...(found.get(kill.test) ?? []), kill.by.join('+')]);
  return found;
}
