/** What Dure's own launches have to do: the driver writes a job for each, and the runner reads it. */
import { z } from 'zod';
import { check } from './check-results.ts';
import { workspaceJob } from './checkout-setup-in-job.ts';
import { criterion } from './exam/acceptance-criteria.ts';
import { examRuns, examSettings } from './exam/exam-output.ts';
import { hash } from './schema/common-fields.ts';
import { testConfigFile } from './test-config-and-results.ts';

export const setupJob = z.strictObject({
  worktree: z.string(),
  commit: hash.describe('the commit that the worktree starts from'),
  workspace: workspaceJob,
});
export type SetupJob = z.infer<typeof setupJob>;

export const proofJob = z.strictObject({
  config: testConfigFile.shape,
  base: hash,
  commit: hash,
  tree: hash,
  tests_tree: hash,
  workspace: workspaceJob,
});
export type ProofJob = z.infer<typeof proofJob>;

export const examJob = proofJob.extend({
  criteria: z.array(criterion),
  settings: examSettings,
  may_question: z.boolean().describe('whether the tests may be sent back to the role that wrote them'),
  earlier: examRuns
    .optional()
    .describe('test runs kept from an earlier exam that ran out of time, on the same trees'),
});
export type ExamJob = z.infer<typeof examJob>;

export const checksJob = z.strictObject({
  checks: z.array(check),
  commit: hash,
  tree: hash,
  base: hash,
  base_tree: hash,
  workspace: workspaceJob,
});
export type ChecksJob = z.infer<typeof checksJob>;
