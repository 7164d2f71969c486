import { z } from 'zod';
import { crpId, defineFile, timestamp } from './define.ts';

const verdict = z.strictObject({
  verdict: z.string().min(1).describe('PASS, MINOR_FAIL, FAIL or NEEDS_HUMAN'),
  reason: z.string().min(1),
  issues: z.array(z.string()).optional(),
  suggestions: z.array(z.string()).optional(),
  crp_id: crpId.optional().describe('with NEEDS_HUMAN: the question you wrote'),
  timestamp: timestamp.optional(),
  minor_fix_attempt: z.int().nonnegative().optional(),
});
export const verdictFile = defineFile(
  'gatekeeper/verdict.json',
  "The Gatekeeper's ruling on this iteration.",
  verdict,
);
export type Verdict = z.infer<typeof verdict>;
