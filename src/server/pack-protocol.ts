/** The responses that describe a pack. */
import { z } from 'zod';
import { crpFile, vcrFile } from '../formats/crp-and-vcr.ts';
import { evidenceFile } from '../formats/evidence.ts';
import { criteriaReportFile } from '../formats/exam/criteria-report.ts';
import { linesOfResult } from '../formats/exam/exam-units-and-faults.ts';
import { feedbackFile } from '../formats/requests-and-feedback.ts';
import { hash, runId } from '../formats/schema/common-fields.ts';
import { testOutputFile } from '../formats/test-config-and-results.ts';

export const mrpView = z.object({
  run_id: runId,
  pack: z
    .int()
    .describe('packs of a run are numbered from 1; each request for changes leads to the next one'),
  title: z.string().describe('first line of the briefing'),
  judgement: z
    .object({ claimed: z.string(), verdict: z.string(), lowered: z.string().nullable(), reason: z.string() })
    .nullable()
    .describe("the Gatekeeper's verdict, the verdict that counts, and why Dure lowered it"),
  commit: hash,
  tree: hash.describe('an approval or rejection must name this tree'),
  open: z.boolean().describe('the pack is waiting for a decision'),
  feedback: feedbackFile.shape.nullable().describe('the changes that were requested for this pack'),
  land_tests: z.enum(['ask', 'always', 'never']).describe('value of commit.tests in the configuration'),
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
