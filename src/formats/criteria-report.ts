/** `mrp/criteria.json`: what is known about each acceptance criterion of a result. Written by Dure alone. */
import { z } from 'zod';
import { criterion } from './criteria.ts';
import { defineFile, hash } from './define-file.ts';

const judged = criterion.extend({
  status: z
    .enum(['fails', 'could-not-run', 'not-claimed', 'passes', 'look'])
    .describe(
      'fails: one of its tests fails; could-not-run: its tests were not reported; not-claimed: no test proves it; passes: its tests pass on the result; look: a person has to judge it',
    ),
  reason: z.string().nullable().describe('why it is not claimed or could not run'),
  tests: z.array(z.string()).describe('ids of its tests, as in test-cases.json, at most 50'),
});
export type JudgedCriterion = z.infer<typeof judged>;

const criteriaReport = z.strictObject({
  run_id: z.string(),
  base: hash,
  tree: hash,
  tests_tree: hash.nullable().describe('null if the tests of this result were not run'),
  sha256: z.string().nullable().describe('of the criteria as sealed; null: the briefing has none'),
  criteria: z.array(judged),
});
export type CriteriaReport = z.infer<typeof criteriaReport>;

export const criteriaReportFile = defineFile(
  'mrp/criteria.json',
  'What the tests show about each acceptance criterion. Written by Dure alone.',
  criteriaReport,
);
