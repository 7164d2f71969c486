/** An exam with the given units and faults. */
import {
  type Exam,
  type ExamMutant,
  type ExamUnit,
  unitStatus,
} from '../../src/formats/exam/exam-units-and-faults.ts';

const HASH = '7'.repeat(40);

export function examWith(units: readonly ExamUnit[], mutants: readonly ExamMutant[] = []): Exam {
  const statuses = Object.fromEntries(
    unitStatus.options.map(status => [status, units.filter(unit => unit.status === status).length]),
  ) as Exam['counts']['statuses'];
  return {
    base: HASH,
    tree: HASH,
    tests_tree: HASH,
    runs: 4,
    duration_ms: 900,
    complete: true,
    units: [...units],
    mutants: [...mutants],
    kills: [],
    counts: {
      units: units.length,
      statuses,
      mutants: {
        tried: mutants.length,
        killed: mutants.filter(({ killed }) => killed).length,
        low: null,
        high: null,
      },
    },
  };
}
