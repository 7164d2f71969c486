/**
 * Who made a decision and how, the proof that one of Dure's commands or its server recorded it, and a
 * signature.
 */
import { z } from 'zod';

export const decidedBy = z.strictObject({
  who: z
    .string()
    .max(400)
    .describe('name and email from the git configuration; without them, the system user name'),
  through: z
    .enum(['terminal', 'page', 'dure'])
    .describe('page: a page, the API or a socket; dure: selected by --yes'),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  key: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/)
    .optional()
    .describe('fingerprint of the SSH key that signed the decision; absent: it is not signed'),
  unsigned: z.string().max(400).optional().describe('why the SSH key configured in git could not sign it'),
});
export type DecidedBy = z.infer<typeof decidedBy>;

const proven = decidedBy.extend({
  proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('HMAC-SHA-256 over the run, the kind, the question, the content and the fields above'),
  signature: z
    .string()
    .max(10_000)
    .optional()
    .describe('signature made with `key` over the same text as the proof'),
});
export type Proven = z.infer<typeof proven>;

/** Part of each file that contains a decision, and of the event that records it. */
export const decisionProof = { by: proven.optional().describe('without it, the decision does not count') };
export const recorded = { by: decidedBy.optional().describe('who decided') };
