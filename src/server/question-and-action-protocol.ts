/** The HTTP contract for questions, their answers, and actions on a run. */

import { z } from 'zod';
import { crpFile, vcrFile } from '../formats/crp-and-vcr.ts';
import { feedbackFile, requestFiles } from '../formats/requests-and-feedback.ts';
import { crpId, hash, role } from '../formats/schema/common-fields.ts';

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
