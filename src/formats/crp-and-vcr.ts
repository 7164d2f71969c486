/** A question (CRP), its answer (VCR), and answers that apply to future runs. */
import { z } from 'zod';
import { decisionProof } from './decision-provenance.ts';
import { crpId, role, timestamp, vcrId } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

const crpOption = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(40)
    .refine(id => id.trim().toUpperCase() !== 'OTHER', 'OTHER is reserved for free-text answers'),
  label: z.string().min(1).max(400),
  description: z.string().max(4000).optional(),
  risk: z.string().max(1000).optional(),
});

const type = z.string().min(1).max(60);
const content = {
  question: z.string().min(1).max(4000),
  context: z.string().max(20_000).optional(),
  options: z.array(crpOption).min(1).max(12),
};

const crp = z
  .strictObject({
    crp_id: crpId,
    created_at: timestamp.optional(),
    created_by: role.describe('the role that asks, or "dure"'),
    type: type.describe('clarification, architecture, security, dependency, failure, exhausted, budget …'),
    ...content,
    recommendation: z.string().optional().describe('id of the option you would take'),
    status: z.enum(['pending', 'resolved']).default('pending'),
  })
  .superRefine((value, ctx) => {
    const ids = value.options.map(o => o.id);
    if (new Set(ids).size !== ids.length)
      ctx.addIssue({ code: 'custom', path: ['options'], message: 'two options have the same id' });
    if (value.recommendation !== undefined && !ids.includes(value.recommendation))
      ctx.addIssue({
        code: 'custom',
        path: ['recommendation'],
        message: `expected the id of an option (${ids.join(', ')})`,
      });
  });

export const crpFile = defineFile(
  'crp/crp-*.json',
  'A question for the person who decides (Consultation Request Pack).',
  crp,
);
export type Crp = z.infer<typeof crp>;

/** The argument of `consult_human`: a question without the keys that Dure adds. */
export const question = z.strictObject({
  type: type.default('clarification'),
  ...content,
  recommendation: z.string().optional(),
});

const vcr = z.strictObject({
  vcr_id: vcrId,
  crp_id: crpId,
  created_at: timestamp,
  decision: z.string().min(1).max(4000).describe('id of the option taken, or OTHER with a rationale'),
  rationale: z.string().max(20_000).default(''),
  additional_notes: z.string().max(20_000).optional(),
  applies_to_future: z.boolean().default(false),
  amount_usd: z.number().positive().optional().describe('additional US dollars granted'),
  unattended: z.literal(true).optional().describe('selected by --yes'),
  ...decisionProof,
});
export const vcrFile = defineFile(
  'vcr/vcr-*.json',
  'The answer to a question (Version Controlled Resolution).',
  vcr,
);
export type Vcr = z.infer<typeof vcr>;

const decision = z.strictObject({
  question: z.string(),
  decision: z.string(),
  rationale: z.string(),
  decided_at: timestamp,
  run_id: z.string(),
  crp_id: crpId,
});
export const decisionFile = defineFile(
  'decisions/*.json',
  'A decision that applies to later runs; meant to be committed.',
  decision,
);
export type Decision = z.infer<typeof decision>;
