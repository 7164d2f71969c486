/** Requests from the user to the driver of a run. A request is a file, so it works even if no driver is running. */
import { z } from 'zod';
import { vcrFile } from './crp-and-vcr.ts';
import { decisionProof } from './decision-provenance.ts';
import { hash, MAX_EXAM_S, MAX_TIME_LIMIT_MS, timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

const asked = { asked_at: timestamp, ...decisionProof };
const askedOfAgent = {
  ...asked,
  launch: z.int().positive().describe('the launch that the user saw; the request applies to no other'),
};
const lineComment = z
  .strictObject({
    file: z.string().min(1).max(1000),
    line: z.int().positive().describe('the first line'),
    end_line: z.int().positive().optional().describe('the last line; default: the first'),
    side: z.enum(['old', 'new']).optional().describe('old: a line of the base that the result deletes'),
    comment: z.string().min(1).max(10_000),
  })
  .refine(({ line, end_line }) => end_line === undefined || end_line >= line, {
    path: ['end_line'],
    message: 'before the first line',
  });

export const requestFiles = {
  stop: defineFile(
    'requests/stop.json',
    'End the run.',
    z.strictObject({ ...asked, reason: z.string().default('') }),
  ),
  approve: defineFile(
    'requests/approve.json',
    'Approve the result that the user saw.',
    z.strictObject({
      ...asked,
      tree: hash.describe('the tree the user saw'),
      how: z
        .enum(['merge', 'branch', 'pr'])
        .default('merge')
        .describe('merge into the current branch, only keep the branch, or open a pull request'),
      tests: z.enum(['land', 'leave']).default('leave').describe("the Verifier's tests"),
      hooks: z.enum(['run', 'skip']).default('run').describe("the user's git hooks"),
      accepted: z
        .string()
        .optional()
        .describe('digest of the changes to git settings, hooks and configuration that the user accepts'),
    }),
  ),
  rebase: defineFile(
    'requests/rebase.json',
    'Rebase the result on a newer commit.',
    z.strictObject({
      ...asked,
      base: hash.describe('the new base'),
      onto: z.string().describe('name of the new base'),
    }),
  ),
  exam: defineFile(
    'requests/exam.json',
    'Continue the exam of the tests.',
    z.strictObject({ ...asked, budget_s: z.int().positive().max(MAX_EXAM_S).describe('additional seconds') }),
  ),
  retry: defineFile('requests/retry.json', 'Restart the agent.', z.strictObject(askedOfAgent)),
  extend: defineFile(
    'requests/extend.json',
    'Give the agent more time.',
    z.strictObject({ ...askedOfAgent, ms: z.int().positive().max(MAX_TIME_LIMIT_MS) }),
  ),
} as const;
export type RequestName = keyof typeof requestFiles;
export const REQUEST_NAMES = Object.keys(requestFiles) as RequestName[];
/** The requests about a pack. They do not apply to the next pack. */
export const PACK_REQUESTS = ['approve', 'rebase', 'exam'] as const satisfies RequestName[];
export type PersonRequest<N extends RequestName> = z.infer<(typeof requestFiles)[N]['shape']>;
export type PersonRequests = { readonly [N in RequestName]?: PersonRequest<N> };

const feedback = z.strictObject({
  ...asked,
  tree: hash,
  feedback: z.string().max(50_000),
  comments: z.array(lineComment).max(500).default([]),
});
export const feedbackFile = defineFile('feedback/feedback-*.json', 'What the user wants changed.', feedback);
export type Feedback = z.infer<typeof feedback>;

/** The formats of everything a person can decide about a run: an answer to a question, feedback, or a request. */
export const decisionFormats = { answer: vcrFile, feedback: feedbackFile, ...requestFiles } as const;
export type DecisionKind = keyof typeof decisionFormats;
export const DECISION_KINDS = Object.keys(decisionFormats) as DecisionKind[];
