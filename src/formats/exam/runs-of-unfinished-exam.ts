/**
 * `launches/N.exam-runs.json`: the outcomes of the test runs in an exam that ran out of time. A longer exam does not
 * repeat these runs.
 */
import { z } from 'zod';
import { defineFile } from '../schema/define-file.ts';
import { failureKind, testCasesFile } from '../test-cases.ts';
import { negatedOutcome } from './criteria-report.ts';

const failedTest = z.strictObject({ test: z.string(), failure: failureKind, line: z.string().optional() });
export type FailedTest = z.infer<typeof failedTest>;

const variantResult = z.strictObject({
  failures: z.array(failedTest).describe('tests that pass on the result and fail here; assertions first'),
  result: z
    .enum(['green', 'assert', 'load', 'red'])
    .describe(
      'green: every test that passes on the result passes here too; assert: an assertion failed; load: no assertion failed, and some code could not be loaded; red: anything else',
    ),
});
/** The result of running the tests on a changed version of the code. */
export type VariantResult = z.infer<typeof variantResult>;

const cases = testCasesFile.shape;

const examRuns = z.strictObject({
  head: z.array(cases).describe('the tests on the result, in each round'),
  base: z.array(cases).describe('the tests on the base commit, in each round'),
  ghost: cases.nullable(),
  placebo: cases.nullable(),
  stubs: cases.optional(),
  negated: z.array(z.strictObject({ test: z.string(), outcome: negatedOutcome })).optional(),
  variants: z
    .record(z.string(), variantResult)
    .describe('results of the tests on changed versions of the code, keyed by the hash of the change'),
});
export type ExamRuns = z.infer<typeof examRuns>;

export const examRunsFile = defineFile(
  'launches/*.exam-runs.json',
  'The test runs of an exam that ran out of time.',
  examRuns,
);
/** Maximum size in bytes; large, because a broken version may fail every test. */
export const EXAM_RUNS_LIMIT = 256_000_000;
