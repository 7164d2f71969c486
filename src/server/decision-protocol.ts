/** The HTTP contract for decisions: questions, actions and the merge-readiness pack. */

import { z } from 'zod';
import { crpFile, vcrFile } from '../formats/crp-and-vcr.ts';
import { evidenceFile } from '../formats/evidence.ts';
import { criteriaReportFile } from '../formats/exam/criteria-report.ts';
import { linesOfResult } from '../formats/exam/exam-units.ts';
import { feedbackFile, requestFiles } from '../formats/request.ts';
import { crpId, hash, role, runId } from '../formats/schema/common-fields.ts';
import { testOutputFile } from '../formats/test-run-files.ts';

// ── Questions and decisions ─────────────────────────────────────────────────────────────────────────────────────

export const crps = z.object({
  pending: z.array(crpFile.shape),
  resolved: z.array(z.object({ crp: crpFile.shape, vcr: vcrFile.shape })),
});
export type Crps = z.infer<typeof crps>;
export const crpView = z.object({
  crp: crpFile.shape,
  vcr: vcrFile.shape.nullable().describe('the answer, once there is one'),
  open: z.boolean().describe('the run waits for this answer'),
});
export type CrpView = z.infer<typeof crpView>;

const decision = z
  .string()
  .min(1)
  .max(4000)
  .optional()
  .describe(
    'option id, option text as shown, OTHER with a rationale, or an amount if the question is about budget; if omitted, the rationale or the amount is the answer',
  );
const amount = z.number().positive().optional().describe('additional budget in US dollars');
/** Uses the field names of vcr-NNN.json. */
export const vcrBody = z.strictObject({
  crp_id: crpId,
  decision,
  amount_usd: amount,
  rationale: z.string().max(20_000).optional(),
  additional_notes: z.string().max(20_000).optional(),
  applies_to_future: z.boolean().optional(),
});
export type VcrBody = z.infer<typeof vcrBody>;
/** An answer, with the field names of the dashboard socket. */
export const crpResponse = z.strictObject({
  crpId,
  decision,
  amountUsd: amount,
  rationale: z.string().max(20_000).optional(),
  additionalNotes: z.string().max(20_000).optional(),
  appliesToFuture: z.boolean().optional(),
});
export type CRPResponse = z.infer<typeof crpResponse>;

export const stopBody = z.strictObject({ reason: z.string().max(2000).optional() });
export const retryBody = z.strictObject({
  agent: role.optional().describe('the request is refused unless this role is running'),
});
export const extendBody = requestFiles.extend.shape.pick({ ms: true });
/** An approval applies only to the tree that was shown. */
export const approveBody = requestFiles.approve.shape.pick({
  tree: true,
  how: true,
  tests: true,
  accepted: true,
});
export type ApproveBody = z.input<typeof approveBody>;
export const rebaseBody = z.strictObject({
  onto: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('branch or commit; default: the branch the run started from'),
});
export const rejectBody = z.strictObject({
  tree: hash,
  feedback: z.string().max(50_000).default(''),
  comments: feedbackFile.shape.shape.comments,
});
export type RejectBody = z.input<typeof rejectBody>;

// ── Merge-readiness pack ────────────────────────────────────────────────────────────────────────────────────────

export const mrpView = z.object({
  run_id: runId,
  pack: z
    .int()
    .describe('packs of a run are numbered from 1; each request for changes leads to the next one'),
  title: z.string().describe('first line of the briefing'),
  judgement: z
    .object({ claimed: z.string(), verdict: z.string(), lowered: z.string().nullable(), reason: z.string() })
    .nullable()
    .describe("the Gatekeeper's verdict as claimed and as it counts, and why Dure lowered it"),
  commit: hash,
  tree: hash.describe('an approval or rejection must name this tree'),
  open: z.boolean().describe('the pack is waiting for a decision'),
  feedback: feedbackFile.shape.nullable().describe('the changes that were requested for this pack'),
  land_tests: z.enum(['ask', 'always', 'never']).describe('commit.tests of the configuration'),
  refused: z.string().nullable().describe('why the last approval was refused'),
  moved: z.string().nullable().describe('the branch the run started from, if it has moved since'),
  summary: z.string().describe('Markdown'),
  evidence: evidenceFile.shape.nullable(),
  criteria: criteriaReportFile.shape.nullable(),
  lines: linesOfResult,
  patch: z.string().describe('unified diff'),
  patch_truncated: z.boolean(),
  tests: testOutputFile.shape.nullable(),
  log_tail: z.string().describe('end of the test log that Dure recorded'),
  files: z.array(z.string()).describe('files of the result, at most 5000'),
  decisions: z.array(z.object({ crp: crpFile.shape.nullable(), vcr: vcrFile.shape })),
  changed: z
    .object({ names: z.array(z.string()), digest: z.string() })
    .nullable()
    .describe(
      'git settings, hooks and configuration that changed since the run began; an approval must accept them',
    ),
});
export type MrpView = z.infer<typeof mrpView>;

export const sinceView = feedbackFile.shape.extend({
  pack: z.int().describe('number of the pack that these changes were requested for'),
  rebased: z.boolean().describe('the patch also contains changes from the new base'),
  patch: z.string().describe('unified diff between the results of both packs'),
  patch_truncated: z.boolean(),
});
export type SinceView = z.infer<typeof sinceView>;
