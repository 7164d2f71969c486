/** `verifier/exam.json`: whether the Verifier's tests depend on the change. Written by Dure alone. */
import { z } from 'zod';
import { countOfList, hash } from '../schema/common-fields.ts';
import { defineFile } from '../schema/define-file.ts';
import { judgedCriterion } from './criteria-report.ts';
import { exam } from './exam-units-and-faults.ts';

export const examRuns = z
  .strictObject({ launch: z.int().positive(), hash: z.string().describe('SHA-256 of the contents') })
  .describe('launch whose exam-runs.json a longer exam continues; absent: there is nothing left to try');

const examOutput = z.strictObject({
  tree: hash.describe('git tree of the result'),
  tests_tree: hash.describe('git tree of the verifier folder that was run'),
  base: hash.describe('commit that the run began from'),
  criteria: z.array(judgedCriterion),
  change: exam
    .nullable()
    .describe('what the tests notice when the change is reverted or broken; null: not examined'),
  problem: z.string().optional().describe('why the tests were not run on other versions of the code'),
  runs: examRuns.optional(),
  duration_ms: z.number(),
});
export type ExamOutput = z.infer<typeof examOutput>;

export const examOutputFile = defineFile(
  'verifier/exam.json',
  "Whether the Verifier's tests depend on the change. Written by Dure alone.",
  examOutput,
);

/** Settings of the exam, recorded at the start of a run. */
export const examSettings = z.strictObject({
  rounds: z.int().nonnegative().describe('proof.rounds'),
  budget_s: z.int().nonnegative().describe('proof.budget_s'),
  mutants: z.int().nonnegative().describe('proof.mutants'),
});
export type ExamSettings = z.infer<typeof examSettings>;

/** The part of the exam's outcome that is recorded in its event and in the state of the run. */
export const examRecord = {
  undefended: z
    .array(z.string())
    .optional()
    .describe(
      'places in the result that can be removed without making any test fail, as path:line, with a remark for removed lines and for moved lines; at most 20',
    ),
  undefended_count: countOfList('undefended'),
  all_moved: z
    .literal(true)
    .optional()
    .describe('the lines at all these places only moved, so the tests are not sent back because of them'),
  faults: z
    .strictObject({ tried: z.int().nonnegative(), killed: z.int().nonnegative() })
    .optional()
    .describe('faults that were planted in the changed lines, and how many of them the tests noticed'),
  criteria: z.array(judgedCriterion.pick({ id: true, status: true, reason: true, failed: true })),
  hash: z.string().describe('SHA-256 of the contents of verifier/exam.json'),
  runs: examRuns.optional(),
  tree: hash,
  tests_tree: hash,
};
