/**
 * Limits the verdict by what the exam shows: criteria that are not proven, and faults that the tests do not notice.
 * Pure.
 */
import type { RunState } from '../../../formats/state.ts';

type Exam = NonNullable<RunState['exam']>;
type Wanted = Pick<RunState['setup']['criteria'], 'criteria' | 'min_kill_rate'>;

export interface ExamCeiling {
  readonly at: 'MINOR_FAIL';
  readonly because: string;
  /** A person, because the tests have already been sent back once. */
  readonly back_to: 'person';
}

export function ceilingsOfExam(
  exam: Pick<Exam, 'criteria' | 'faults'> | null,
  { criteria = 'any', min_kill_rate = 0 }: Wanted,
): ExamCeiling[] {
  if (exam === null) return [];
  const unproven = exam.criteria.filter(({ status, failed }) =>
    criteria === 'all'
      ? !['confirmed', 'look'].includes(status)
      : criteria === 'claimed' && failed !== undefined,
  );
  const limit = (because: string): ExamCeiling => ({ at: 'MINOR_FAIL', because, back_to: 'person' });
  const rate = rateOf(exam);
  return [
    ...unproven.map(({ id, reason }) => limit(`${id} is not proven${reason === null ? '' : `: ${reason}`}`)),
    ...(rate !== null && rate < min_kill_rate
      ? [limit(`the tests noticed ${rate}% of the planted faults, below the minimum of ${min_kill_rate}%`)]
      : []),
  ];
}

/** With fewer faults than this, the rate is not meaningful. */
const MIN_FAULTS = 5;

const rateOf = ({ faults }: Pick<Exam, 'faults'>): number | null =>
  faults && faults.tried >= MIN_FAULTS ? Math.floor((100 * faults.killed) / faults.tried) : null;
