/** The view of a run that plugins get: a few fields of `state.json` that stay stable when others change. */
import { z } from 'zod';
import { crpId, role, timestamp } from './schema/common-fields.ts';

export const runSummary = z.strictObject({
  run_id: z.string(),
  phase: z
    .string()
    .describe(
      'phase of the current step, or waiting_human, ready_for_merge, completed, failed, stopped, interrupted',
    ),
  step: z.string().nullable().describe('current step; null before the first one'),
  mode: z.string().describe('build, or fix after MINOR_FAIL'),
  steps: z
    .array(z.strictObject({ name: z.string(), phase: z.string(), role }))
    .describe('the pipeline of this run, in order'),
  iteration: z.int().positive(),
  max_iterations: z.int().positive(),
  minor_fixes: z.int().nonnegative().describe('minor fixes used in this iteration'),
  max_minor_fixes: z.int().nonnegative(),
  started_at: timestamp,
  updated_at: timestamp,
  seq: z.int().nonnegative().describe('number of the last event'),
  pending_crp: crpId.nullable().describe('the question that waits for a person'),
  tests: z
    .strictObject({
      machine: z.string().describe('pass, fail, could-not-run or not-run'),
      total: z.int(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
    })
    .nullable()
    .describe('the last run of the tests'),
  verdict: z
    .strictObject({ verdict: z.string(), reason: z.string(), issues: z.array(z.string()) })
    .nullable()
    .describe('the last verdict'),
  cost_usd: z.number().nullable().describe('cost of all launches so far; null if one of them reported none'),
  reason: z.string().nullable().describe('why the run ended, or why the approval was refused'),
});
export type RunSummary = z.infer<typeof runSummary>;
