/** What `dure prove --json` prints. */
import { z } from 'zod';
import { decidedBy } from '../decision-provenance.ts';
import { criterion } from '../exam/acceptance-criteria.ts';
import { judgedCriterion } from '../exam/criteria-report.ts';
import { testEnvironmentShape } from '../pack-proof-conditions.ts';
import { hash } from '../schema/common-fields.ts';

const packDecision = z.strictObject({
  id: z.string().describe('id of the answer or of the requested changes, or `approve`'),
  who: z.string().nullable().describe('null if the pack does not contain the text of the decision'),
  through: decidedBy.shape.through.nullable(),
  key: z.string().nullable().describe('fingerprint of the SSH key that signed it; null: not signed'),
  signer: z.string().nullable().describe('whose key it is; null: unknown key'),
});
export type PackDecision = z.infer<typeof packDecision>;

const provenCriterion = criterion.extend({
  verdict: z
    .enum(['CONFIRMED', 'REFUTED', 'COULD NOT RUN', 'NOT CLAIMED', 'NOT REFUTED'])
    .describe('with --quick, NOT REFUTED is reported instead of CONFIRMED'),
  reason: z.string().nullable(),
  tests: judgedCriterion.shape.tests,
});
export type ProvenCriterion = z.infer<typeof provenCriterion>;

const provenCheck = z.strictObject({
  name: z.string(),
  command: z.string(),
  verdict: z.enum(['CONFIRMED', 'REFUTED', 'COULD NOT RUN', 'NOT CLAIMED']),
  reason: z.string().nullable(),
});
export type ProvenCheck = z.infer<typeof provenCheck>;

export const proven = z.strictObject({
  run_id: z.string(),
  pack: hash.describe('the commit of the pack'),
  base: hash,
  head: hash.describe('the commit of the result'),
  tree: hash.describe('the tree of the result'),
  base_is_ancestor_of: z.string().nullable().describe('a branch of this clone that contains the base'),
  behind: z.int().nullable().describe('commits of that branch after the base'),
  environment: z.strictObject({
    claimed: testEnvironmentShape,
    here: testEnvironmentShape,
    differs: z.array(z.string()).describe('properties that may change what tests do'),
  }),
  sandbox: z.enum(['bubblewrap', 'none']),
  quick: z.boolean().describe('the tests ran only once on the result and once on base'),
  signature: z.string().describe('`none`, `unknown key`, or `good: ` and the signer'),
  prover: z
    .enum(['same', 'other', 'none'])
    .describe('whether `prove.mjs` in the pack comes from this version of Dure'),
  decisions: z.array(packDecision),
  criteria: z.array(provenCriterion),
  checks: z.array(provenCheck).describe("the project's own checks that the pack lists"),
  problem: z.string().nullable().describe('why some or all of the tests could not run'),
  seconds: z.number(),
  kept: z.string().nullable().describe('folder with the log of the tests, if it was kept'),
});
export type ProveResult = z.infer<typeof proven>;
