/** Judges and ranks all tests of a criterion. Pure. */
import type { Criterion } from '../../../formats/exam/acceptance-criteria.ts';
import type { TestOutcomes } from '../../../formats/exam/criteria-report.ts';
import { type CriterionJudgement, judgeTest, type Reasons, TIME_UP } from './judge-test.ts';
import { isGreen, isRed, isSkipped } from './test-outcomes.ts';

/** Most significant first: a criterion gets the first of these statuses that one of its tests has. */
const ORDER: readonly CriterionJudgement['status'][] = [
  'fails',
  'confirmed',
  'passes',
  'could-not-run',
  'not-claimed',
];

/** The checks in the order in which they are made. The later the check that a test fails, the more the test shows. */
const CHECKS: readonly CriterionJudgement['failed'][] = [
  'not-run',
  'base',
  'ghost',
  'placebo',
  'negated',
  'kill',
];

const rankOfJudgement = ({ status, failed = 'not-run' }: CriterionJudgement): number =>
  (ORDER.indexOf(status) + 1) * CHECKS.length - CHECKS.indexOf(failed);

/** All tests of a criterion have to pass on the result; at least one has to prove the criterion. */
export function judgeCriterionTests(
  kind: Criterion['kind'],
  tests: readonly TestOutcomes[],
  reasons: Reasons,
): CriterionJudgement {
  const judged = tests.map(test => judgeTest(kind, test, reasons));
  const unsound = judged.filter((_, at) => !tests[at]!.head.every(isGreen));
  // Among equal judgements, prefer one that a longer exam could improve.
  const isFinal = ({ reason }: CriterionJudgement) => Number(reason !== TIME_UP);
  return (unsound.length > 0 ? unsound : judged).toSorted(
    (a, b) => rankOfJudgement(a) - rankOfJudgement(b) || isFinal(a) - isFinal(b),
  )[0]!;
}

/**
 * Ranks a test among those of its criterion, most significant first: tests that fail, tests whose outcome
 * changes from round to round, then the others by their judgement. Skipped tests come last.
 */
export function rankOf(kind: Criterion['kind'], test: TestOutcomes, reasons: Reasons): number {
  if (test.head.every(isSkipped)) return Number.MAX_SAFE_INTEGER;
  if (!test.head.every(isGreen)) return test.head.every(isRed) ? -2 : -1;
  return rankOfJudgement(judgeTest(kind, test, reasons));
}
