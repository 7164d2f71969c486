/** A judged criterion. Unless they say otherwise, the tests of a confirmed one prove it. */
import { countTests } from '../../src/core/policy/criteria/select-and-count-tests.ts';
import type { JudgedCriterion, JudgedTest, TestOutcomes } from '../../src/formats/exam/criteria-report.ts';

type Values = Omit<JudgedCriterion, 'tests' | 'test_counts'> & {
  readonly tests?: readonly (TestOutcomes & Partial<JudgedTest>)[];
  readonly test_counts?: JudgedCriterion['test_counts'];
};

export function judgedCriterion(values: Values): JudgedCriterion {
  const proves = values.status === 'confirmed';
  const tests = (values.tests ?? []).map(test => ({ proves, ...test }));
  return { test_counts: countTests(tests, null), ...values, tests };
}
