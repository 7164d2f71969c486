import { expect, test } from 'vitest';
import type { Kill } from '../../../src/formats/exam/exam-units-and-faults.ts';
import { storedReport } from '../../../src/proof/exam/build-exam-report.ts';
import { examWith } from '../../helpers/sample-exam.ts';

test('only the first eight failures of each test are stored', () => {
  const failures = (id: string, count: number) =>
    Array.from({ length: count }, (_, n): Kill => ({ test: id, failure: 'assert', by: [`m${n + 1}`] }));
  const kills = [...failures('a', 12), ...failures('b', 3)];
  const stored = storedReport({ ...examWith([]), kills });
  expect(stored.kills).toEqual([...failures('a', 8), ...failures('b', 3)]);
});
