/** The shape of the Gatekeeper's verdict. */
import { z } from 'zod';
import { crpId, timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

/** Who has to fix whatever prevents a pass: the step that yields the tree or the tests, the set-up, or the user. */
export const backTo = z.enum(['person', 'setup', 'tree', 'tests']);
export type BackTo = z.infer<typeof backTo>;

export const fault = z
  .enum(['code', 'tests'])
  .optional()
  .describe(
    'who has to act: the Builder (code, the default) or, if the tests are wrong, the Verifier (tests)',
  );

/** The part of a verdict that is recorded. */
export const recordedVerdict = {
  verdict: z.string(),
  claimed: z.string().describe("the Gatekeeper's verdict before it was lowered"),
  lowered: z.string().nullable(),
  reason: z.string(),
  issues: z.array(z.string()),
};

const verdict = z.strictObject({
  verdict: z.string().min(1).describe('PASS, MINOR_FAIL, FAIL or NEEDS_HUMAN'),
  reason: z.string().min(1),
  issues: z.array(z.string()).optional(),
  suggestions: z.array(z.string()).optional(),
  fault,
  crp_id: crpId.optional().describe('with NEEDS_HUMAN: the question you wrote'),
  timestamp: timestamp.optional(),
  minor_fix_attempt: z.int().nonnegative().optional(),
});
export const verdictFile = defineFile(
  'gatekeeper/verdict.json',
  "The Gatekeeper's verdict on this iteration.",
  verdict,
);
/** Like `verdictFile`, but accepts only `words`, the verdicts that have an installed handler. */
export const verdictWith = (words: readonly string[]): typeof verdictFile => ({
  ...verdictFile,
  shape: verdict.extend({ verdict: z.enum(words) as unknown as z.ZodString }),
});
export type Verdict = z.infer<typeof verdict>;
