/**
 * The acceptance criteria in the section `## Acceptance criteria` of a refined briefing. Pure. No other part of the
 * briefing is parsed. For criteria from feedback (`FB-1.1`), see src/core/policy/criteria/briefing-and-feedback-criteria.ts.
 */
import { z } from 'zod';

export const criterionId = z
  .string()
  .regex(/^(?:AC-(?:0|[1-9]\d?)|FB-[1-9]\d*\.[1-9]\d*)$/, 'expected an id such as AC-1 or FB-1.1');
export const MAX_CRITERIA = 40;
export const MAX_TEXT_LENGTH = 600;

export const criterion = z.strictObject({
  id: criterionId,
  kind: z
    .enum(['behaviour', 'keeps', 'look'])
    .describe('keeps: holds before and after the change; look: only a person can judge'),
  text: z.string().max(MAX_TEXT_LENGTH),
});
export type Criterion = z.infer<typeof criterion>;

/** The criteria of a run, as sealed with the refined briefing. */
export const criteria = z.strictObject({
  sha256: z.string().describe('SHA-256 of the lines `ID KIND TEXT`'),
  list: z.array(criterion).min(1).max(MAX_CRITERIA),
});
export type Criteria = z.infer<typeof criteria>;

/** The criteria that people added to a run by requesting changes; absent if there are none. */
export const addedCriteria = z
  .array(criterion)
  .optional()
  .describe('acceptance criteria from the comments of requested changes: FB-1.1 and so on');

/** The text from which `sha256` is computed. */
export const criteriaText = (list: readonly Criterion[]): string =>
  list.map(({ id, kind, text }) => `${id} ${kind} ${text}\n`).join('');
