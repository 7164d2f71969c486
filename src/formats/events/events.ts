/** All run events: their keys, and what the keys mean. */

import { z } from 'zod';
import { checkResult } from '../check-results.ts';
import { runOptions } from '../config/run-options.ts';
import { crpFile } from '../crp-and-vcr.ts';
import { recorded } from '../decision-provenance.ts';
import { addedCriteria, criteria } from '../exam/acceptance-criteria.ts';
import { examRecord } from '../exam/exam-output.ts';
import { exitFile, reducedSetup, runnerIdentity, usage } from '../launch.ts';
import { reachedLimit } from '../limits-and-reached-limits.ts';
import { missingAfterSetUp } from '../missing-after-set-up.ts';
import { answerEffect, askReason } from '../question-reasons-and-effects.ts';
import { rules } from '../recorded-agent-rules.ts';
import { crpId, errorKind, hash, role, timestamp, vcrId } from '../schema/common-fields.ts';
import { conflictedFile, packHashes, setup } from '../state.ts';
import { coverageFields, inSandbox, machine, testCounts } from '../test-config-and-results.ts';
import { backTo, recordedVerdict } from '../verdict.ts';
import { chainKeyFields } from './chain-key-fields.ts';

const event = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.strictObject({ at: timestamp, type: z.literal(type), ...fields });
/** Declares an event about a launch. */
const ofLaunch = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  event(type, { agent: role, step: z.string(), launch: z.int().positive(), ...fields });
const asked = { asked_at: timestamp, ...recorded };
const tree = { commit: hash, tree: hash };
const passed_over = z
  .array(z.strictObject({ file: z.string(), hash: z.string() }))
  .optional()
  .describe('questions that were not shown to the user and are ignored from now on');

export const runEvent = z.discriminatedUnion('type', [
  event('run.started', {
    run_id: z.string(),
    base: hash,
    repository: z
      .record(z.string(), z.string())
      .describe(
        'hashes of git settings, hooks and configuration, with which an approval compares the current ones',
      ),
    briefing: z.string().describe('text as the user wrote it'),
    options: runOptions,
    setup,
    ...chainKeyFields,
  }),
  event('run.interrupted', {
    phase: z.string(),
    reason: z.string(),
    driven: z.literal(true).optional().describe('a driver ran until `at`; absent: there was no driver'),
  }),
  event('run.resumed', { phase: z.string() }),
  event('run.delayed', {
    file: z.string().describe('path that could not be read or written'),
    why: z.string(),
    file_system: z.string().nullable().describe('device and mount point of the disk; null if unknown'),
    free_bytes: z.int().nonnegative().nullable(),
    message: z.string().optional().describe('message of an error other than a disk error'),
  }),
  event('run.continued', {}),
  event('workspace.prepared', { duration_ms: z.number() }),
  ofLaunch('agent.started', {
    iteration: z.int(),
    runner: runnerIdentity
      .optional()
      .describe('process that claimed the launch; absent if the claim names none'),
  }),
  ofLaunch('agent.completed', {
    duration_ms: z.number(),
    commit: hash.optional(),
    tree: hash.optional(),
    criteria: criteria.optional().describe('acceptance criteria of the briefing that was sealed'),
  }),
  ofLaunch('agent.failed', { kind: errorKind, message: z.string(), passed_over }),
  ofLaunch('agent.timeout', { action: z.enum(['warn', 'retry', 'stop']), after_ms: z.number() }),
  ofLaunch('agent.extended', { ms: z.number(), ...asked }),
  ofLaunch('agent.retried', asked),
  ofLaunch('agent.waits', { until: timestamp, message: z.string() }),
  ofLaunch('agent.delayed', { reason: z.string() }),
  ofLaunch('agent.continued', {}),
  ofLaunch('agent.exited', {
    outcome: z.enum([...exitFile.shape.shape.outcome.options, 'lost']),
    kind: errorKind.nullable(),
    message: z.string(),
    retry_at: timestamp.nullable(),
    session: z.string().nullable(),
    asks: z.boolean(),
    usage: usage.nullable(),
    without: reducedSetup
      .optional()
      .describe('parts of the set-up that were skipped because they fail on base'),
    missing: missingAfterSetUp.missing_requirements,
  }),
  ofLaunch('tests.executed', {
    machine,
    exit_code: z.int().nullable(),
    problem: z.string().optional(),
    back_to: backTo.optional().describe('who has to act before this result can be judged; absent: nobody'),
    failures: z.array(z.string()).optional().describe('names of failed tests, at most 20'),
    counts: testCounts.nullable(),
    ...coverageFields,
    duration_ms: z.number(),
    ...inSandbox,
    tree: hash,
    tests_tree: hash,
  }),
  ofLaunch('exam.executed', {
    ...examRecord,
    problem: z.string().optional().describe('why the tests were not run on other versions of the code'),
    duration_ms: z.number(),
  }),
  ofLaunch('checks.executed', {
    checks: z.array(checkResult).describe('at most the first 20 entries of each list'),
    duration_ms: z.number(),
    tree: hash,
    base_tree: hash,
  }),
  ofLaunch('verdict.given', {
    ...recordedVerdict,
    next: z.enum(['ready', 'fix', 'rework', 'ask', 'fail']),
    from_step: z
      .string()
      .optional()
      .describe('step at which rework starts; absent: the first that yields a tree'),
    back_to: backTo
      .optional()
      .describe('who has to act if the verdict is not PASS; absent: the step that yields the tree'),
  }),
  event('crp.created', {
    crp_id: crpId,
    agent: role,
    hash: z.string(),
    seen_as: z.string().describe('name of the file the agent wrote'),
    seen_hash: z
      .string()
      .optional()
      .describe('hash of that file, if its id was in use and Dure assigned another'),
    why: z.union([askReason, z.literal('question')]),
    question: z.string(),
    limit: reachedLimit.optional().describe('the limit that a question is about'),
    unknown_cost: z.literal(true).optional().describe('asked because the cost of a launch is not known'),
    crp: crpFile.shape.describe('the whole question'),
  }),
  event('vcr.created', {
    vcr_id: vcrId,
    crp_id: crpId,
    decision: z.string(),
    rationale: z.string(),
    effect: answerEffect,
    amount_usd: z.number().positive().optional().describe('amount that the user granted'),
    prepare: z.string().nullable().optional().describe('the new value of workspace.setup'),
    problem: z.string().optional().describe('why the answer had no effect'),
    unattended: z.literal(true).optional().describe('selected by --yes'),
    applies_to_future: z.boolean(),
    ...recorded,
  }),
  event('iteration.started', {
    iteration: z.int(),
    reason: z.string(),
    from_step: z
      .string()
      .optional()
      .describe('step at which the iteration starts; absent: the first that yields a tree'),
  }),
  event('iteration.exhausted', { iteration: z.int(), reason: z.string() }),
  event('mrp.created', {
    ...tree,
    cost_usd: z.number().nullable(),
    files: packHashes,
    pack: hash.describe('the commit of the pack'),
    remade: z
      .array(z.string())
      .optional()
      .describe('files of the pack that were modified, so Dure recreated it'),
  }),
  event('mrp.rejected', {
    feedback: z.int().positive(),
    summary: z.string(),
    criteria: addedCriteria,
    ...recorded,
  }),
  event('approval.refused', { reason: z.string(), ...asked }),
  event('run.rebased', {
    from: hash.describe('the previous base'),
    base: hash.describe('the new base'),
    onto: z.string().describe('name of the new base'),
    ...tree,
    same_patch: z.boolean().describe('the changes are the same as before, so the verdict is kept'),
    conflicts: z
      .array(conflictedFile)
      .describe('if there are any, the tree contains conflict markers, and the next iteration resolves them'),
    tests_problem: z.string().optional().describe('why the sealed tests cannot run on the rebased result'),
    rules: rules.optional().describe('rules for agents, committed in the new base; absent: none'),
    ...asked,
  }),
  event('rebase.refused', { reason: z.string(), ...asked }),
  event('exam.extended', {
    budget_s: z.int().positive().describe('additional seconds'),
    ...asked,
  }),
  event('run.completed', {
    how: z.enum(['merge', 'branch', 'pr']),
    merged: z.boolean(),
    into: z.string().nullable(),
    ...tree,
    url: z.string().optional().describe('URL of the pull request, or of the page on which to open one'),
    opened: z
      .boolean()
      .optional()
      .describe('false: the branch was pushed, and the user opens the pull request'),
    tests: z
      .int()
      .positive()
      .optional()
      .describe("number of the Verifier's test files that landed with the result"),
    ...recorded,
  }),
  event('decision.refused', {
    file: z.string().describe('path in the run folder'),
    hash: z.string().describe('hash of the content of the file'),
    problem: z.string(),
  }),
  event('key.replaced', { events: z.int(), ...recorded }),
  event('run.failed', { reason: z.string() }),
  event('run.stopped', { reason: z.string(), ...recorded }),
]);
export type RunEvent = z.infer<typeof runEvent>;
export type EventType = RunEvent['type'];
export type EventOf<T extends EventType> = Extract<RunEvent, { type: T }>;
