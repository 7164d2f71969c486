/** `mrp/criteria.json`: what is known about each acceptance criterion of a result. Written by Dure alone. */
import { z } from 'zod';
import { countOfList, hash } from '../schema/common-fields.ts';
import { defineFile } from '../schema/define-file.ts';
import { failureKind } from '../test-cases.ts';
import { criterion } from './acceptance-criteria.ts';
import { exam } from './exam-units-and-faults.ts';

const testOutcome = z.enum(['pass', 'skip', 'todo', ...failureKind.options, 'missing']);
/** The outcome of a test; for a failed test, how it failed. `missing`: the test was not reported. */
export type TestOutcome = z.infer<typeof testOutcome>;

export const negatedOutcome = z.enum([...testOutcome.options, 'unrecognized']);
/** `unrecognized`: the test passed, but no assertion in it was recognized, so none was negated. */
export type NegatedOutcome = z.infer<typeof negatedOutcome>;

const testOutcomes = z.strictObject({
  id: z.string().describe('id of the test, as in test-cases.json'),
  head: z.array(testOutcome).describe('outcome on the result, in each round'),
  base: z.array(testOutcome).describe('outcome on the base commit, in each round; empty: not run there'),
  ghost: testOutcome
    .nullable()
    .describe(
      'outcome on base with the added lines only as comments, strings, parameters and code that never runs; null: not run',
    ),
  placebo: testOutcome
    .nullable()
    .describe(
      'outcome on the result with comments, spaces and empty statements added or, where that is possible, with its source text hidden; null: not run',
    ),
  stubs: testOutcome
    .optional()
    .describe(
      'outcome on the result in which changed functions have their bodies from base and new functions do nothing; if the test passes, faults in the changed functions do not count for it; absent: not run',
    ),
  negated: negatedOutcome
    .optional()
    .describe(
      'outcome on the result with the assertions of the tests negated; unrecognized: the test passes, but none of its own assertions was negated; absent: not run, because the test proves nothing anyway or its language is not supported',
    ),
  killed_by: z
    .array(z.string())
    .nullable()
    .describe('changes to the changed lines that make the test fail, at most 20; null: not known'),
  killed_by_count: countOfList('killed_by'),
});
export type TestOutcomes = z.infer<typeof testOutcomes>;

const judgedTest = testOutcomes.extend({
  proves: z.boolean().describe('whether it is one of the tests that confirm the criterion'),
});
export type JudgedTest = z.infer<typeof judgedTest>;

export const judgedCriterion = criterion.extend({
  status: z
    .enum(['fails', 'could-not-run', 'not-claimed', 'passes', 'confirmed', 'look'])
    .describe(
      'fails: one of its tests fails; could-not-run: its tests were not reported; not-claimed: no test proves it; passes: its tests pass on the result; confirmed: they also fail without the change (keeps: they pass there too), and fail if a changed line is broken; look: a person has to judge it',
    ),
  reason: z.string().nullable().describe('why it is not confirmed'),
  failed: z
    .enum(['not-run', 'base', 'ghost', 'placebo', 'negated', 'kill'])
    .optional()
    .describe(
      'why its tests prove nothing: not-run: they were not reported on the result or on another version; otherwise the first kind of run with the wrong outcome',
    ),
  tests: z.array(judgedTest).describe('tests of the criterion, the most significant first, at most 50'),
  test_counts: z
    .strictObject({
      total: z.int().nonnegative(),
      passed: z.int().nonnegative().describe('tests that passed on the result in every round'),
      proving: z.int().nonnegative().describe('tests that confirm the criterion'),
      kills: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          'number of broken versions on which a test of the criterion fails; if the criterion is confirmed, only the tests that confirm it count; absent: not known',
        ),
    })
    .describe('counts of all tests of the criterion'),
});
export type JudgedCriterion = z.infer<typeof judgedCriterion>;

const criteriaReport = z.strictObject({
  run_id: z.string(),
  base: hash,
  tree: hash,
  tests_tree: hash.nullable().describe('null if no tests were run on this result'),
  sha256: z.string().nullable().describe('SHA-256 of the sealed criteria; null if the briefing has none'),
  criteria: z.array(judgedCriterion),
  change: exam
    .nullable()
    .default(null)
    .describe('what the tests notice when the change is reverted or broken; null: not examined'),
});
export type CriteriaReport = z.infer<typeof criteriaReport>;

export const criteriaReportFile = defineFile(
  'mrp/criteria.json',
  'What the tests show about each acceptance criterion. Written by Dure alone.',
  criteriaReport,
);
