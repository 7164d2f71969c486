/** `state.json`: the state of a run. It is derived from events.log and written for people and tools. */
import { z } from 'zod';
import { agentSandboxMode } from './agent-sandbox.ts';
import { check, checkResult } from './check-results.ts';
import { checkoutSettings } from './checkout-setup-in-job.ts';
import { agentStart } from './config/run-options.ts';
import { keyReplacedField } from './events/chain-key-fields.ts';
import { addedCriteria, criteria } from './exam/acceptance-criteria.ts';
import { examRecord, examSettings } from './exam/exam-output.ts';
import { runnerIdentity } from './launch.ts';
import { limits, reachedLimit } from './limits-and-reached-limits.ts';
import { missingAfterSetUp } from './missing-after-set-up.ts';
import { rules } from './recorded-agent-rules.ts';
import { crpId, hash, role, timestamp, vcrId } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';
import { spend } from './spend.ts';
import { coverageFields, inSandbox, machine, testCounts } from './test-config-and-results.ts';
import { recordedVerdict } from './verdict.ts';

/** Paths are relative to the run folder. */
const place = {
  name: z.string(),
  phase: z.string(),
  role,
  folder: z.string().describe('folder that the step writes in'),
  outputs: z.array(z.string()).describe('files that must exist when the step ends'),
};
export const agentStep = z.strictObject({
  ...place,
  yields: z.enum(['files', 'tree', 'tests', 'verdict']).describe('what Dure takes from the step'),
  flag: z.string().describe('file that ends the step when it exists'),
  optional: z.array(z.string()).describe('other files that it may write'),
  reads: z.array(z.string()).describe('files that its prompt mentions; empty: all outputs of earlier steps'),
  asks: z.int().nonnegative().optional().describe('maximum number of questions; default: max_consultations'),
  clears: z.array(z.string()).describe('files that are removed before each start'),
});
export type AgentStep = z.infer<typeof agentStep>;

/** Dure's own steps: preparing the worktree, running the tests, examining them, running the project's checks. */
const automatedStep = z.strictObject({ ...place, yields: z.enum(['setup', 'proof', 'exam', 'checks']) });

const step = z.discriminatedUnion('yields', [agentStep, automatedStep]);
export type Step = z.infer<typeof step>;
export type Yields = Step['yields'];

/** Everything that applies to the whole run, recorded at its start so that the fold needs no other file. */
export const setup = z.strictObject({
  pipeline_name: z.string().describe('name of the pipeline, from the configuration or a plugin'),
  pipeline: z.array(step).min(1),
  max_iterations: z.int().positive(),
  max_minor_fixes: z.int().nonnegative(),
  max_consultations: z.int().nonnegative(),
  timeouts: z.record(z.string(), z.int().positive()),
  timeout_action: z.enum(['warn', 'retry', 'stop']),
  retry: z.strictObject({ attempts: z.int().nonnegative(), kinds: z.array(z.string()) }),
  budget_usd: z.number().positive().nullable(),
  limits: limits.optional(),
  prepare: z.string().nullable().describe('workspace.setup'),
  ...missingAfterSetUp,
  checkout: z.strictObject(checkoutSettings).describe('how checkouts for tests and checks are created'),
  checks: z.array(check).describe("the project's own checks"),
  exam: examSettings.optional().describe('absent in runs without an exam'),
  criteria: z.strictObject({
    tests_passing: z.boolean(),
    min_test_coverage: z.number(),
    criteria: z.enum(['any', 'claimed', 'all']).optional(),
    min_kill_rate: z.number().optional(),
  }),
  take_recommendations: z.boolean(),
  git: z
    .strictObject({
      hooks: z.record(z.string(), z.string()).describe('hash of each hook by name'),
      settings: z.record(z.string(), z.string()).describe('settings that name programs'),
    })
    .describe("programs that the user's git runs"),
  decisions: z
    .record(z.string(), z.string())
    .describe('standing decisions at the start of the run: hash by file'),
  sandbox: z
    .strictObject({ mode: agentSandboxMode, allow: z.array(z.string()) })
    .optional()
    .describe('agent sandbox; absent: none'),
  agents: agentStart,
  rules: rules.optional().describe('rules for agents, committed in base; absent: none'),
});
export type Setup = z.infer<typeof setup>;

const agentState = z.strictObject({
  status: z.enum(['pending', 'running', 'completed', 'failed', 'timeout', 'waiting_human']),
  started_at: timestamp.optional(),
  completed_at: timestamp.optional(),
  launch: z.int().positive().optional(),
});
export type AgentState = z.infer<typeof agentState>;

const sealed = z.strictObject({ commit: hash, tree: hash });

const verdict = z.strictObject(recordedVerdict);

export const conflictedFile = z.strictObject({
  path: z.string(),
  how: z
    .enum(['both-changed', 'both-added', 'deleted-in-base', 'deleted-in-result', 'moved'])
    .describe('both-changed and both-added files have conflict markers, if they are text'),
});
export type ConflictedFile = z.infer<typeof conflictedFile>;

export const packHashes = z
  .record(z.string(), z.string())
  .describe('SHA-256 of each file and folder in mrp/');

/** Fields of the current launch. `evolve` resets all of them for the next one. */
const launchFields = {
  since: timestamp.nullable().describe('when this launch was first observed'),
  ended: z
    .strictObject({
      outcome: z.string(),
      kind: z.string().nullable(),
      message: z.string(),
      retry_at: timestamp.nullable(),
      session: z.string().nullable(),
      asks: z.boolean(),
    })
    .nullable()
    .describe('how this launch ended'),
  extra_ms: z.int().describe('time granted by the user'),
  paused_ms: z.int().optional().describe('time during which no process drove the run'),
  timeout_noticed: z.boolean(),
  not_before: timestamp.nullable(),
  delayed: z.string().nullable().optional().describe('why the requests of the running agent are delayed'),
  blocked: z.union([z.string(), z.boolean()]).optional().describe('the error that delays the run'),
  problem: z.string().nullable().describe('problem to include in the next prompt'),
  resume: z.strictObject({ session: z.string(), vcr: vcrId }).nullable(),
};
export type LaunchState = Readonly<z.infer<z.ZodObject<typeof launchFields>>>;

const state = z.strictObject({
  run_id: z.string(),
  phase: z
    .string()
    .describe(
      'refine, build, verify, gate, waiting_human, ready_for_merge, completed, failed, stopped, interrupted',
    ),
  step: z.string().nullable(),
  mode: z.enum(['build', 'fix']).describe('fix after a minor failure, otherwise build'),
  iteration: z.int().positive(),
  max_iterations: z.int().positive(),
  started_at: timestamp,
  updated_at: timestamp,
  agents: z.record(z.string(), agentState),
  pending_crp: crpId.nullable(),
  history: z.array(z.strictObject({ phase: z.string(), result: z.string(), timestamp })),
  seq: z.int().nonnegative(),
  base: hash,
  setup,
  key: z.string().describe('id of the key that proves decisions'),
  ...keyReplacedField,
  nonces: z.array(z.string()).optional().describe('nonces of the recorded decisions'),
  refused: z.record(z.string(), z.string()).optional().describe('refused decisions: hash by file'),
  launch: z.int().nonnegative().describe('number of the current or last launch'),
  ...launchFields,
  open: z
    .array(z.strictObject({ launch: z.int(), role, step: z.string(), runner: runnerIdentity.optional() }))
    .describe('launches that have not ended'),
  minor_fixes: z.int(),
  retries: z.int(),
  sent_back: z
    .int()
    .describe('how many times the tests of this build were sent back to the role that writes them'),
  questioned: z
    .boolean()
    .describe('whether the exam has sent the tests of this build back to the role that writes them'),
  causes: z
    .record(z.string(), z.string())
    .describe(
      'cause of the last failure of each step, and of the verdict: if it occurs again, a person is asked',
    ),
  unattended: z.array(z.string()).describe("Dure's own questions that --yes has answered"),
  consultations: z.int().describe('questions asked since the run entered this phase'),
  budget_usd: z.number().positive().nullable().describe('maximum cost of the run, including later grants'),
  unknown_cost_accepted: z
    .literal(true)
    .optional()
    .describe('a person let the run continue although the cost of a launch is not known'),
  limits: limits.describe('limits of the run, including later grants'),
  worked_ms: z.number().describe('working time of the run, until `updated_at`'),
  known: z.record(z.string(), z.string()).describe('questions that were processed: hash by file'),
  asked: z.record(z.string(), z.string()).optional().describe('questions that were asked: hash by id'),
  next_crp: z.int().positive(),
  waiting: z
    .strictObject({
      crp: crpId,
      why: z.string(),
      phase: z.string(),
      session: z.string().nullable(),
      launch: z.int(),
      limit: reachedLimit.optional(),
      unknown_cost: z.literal(true).optional(),
    })
    .nullable(),
  todo: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('iterate'), reason: z.string(), from_step: z.string().optional() }),
      z.strictObject({ kind: z.literal('ask'), why: z.string(), message: z.string() }),
      z.strictObject({ kind: z.literal('pack') }),
      z.strictObject({ kind: z.enum(['end', 'stop']), reason: z.string() }),
    ])
    .nullable()
    .describe('what Dure itself has to do next'),
  sealed: z.record(z.string(), sealed),
  criteria: criteria
    .optional()
    .describe('acceptance criteria; absent: the result is judged by the whole briefing'),
  feedback_criteria: addedCriteria,
  rerun: z
    .strictObject({
      kept: z
        .strictObject({
          limit: z.string().describe('best verdict that the results allowed'),
          verdict: verdict.nullable(),
          accepted: z.boolean(),
        })
        .nullable()
        .describe(
          'the earlier verdict on the result, which stands unless the new results lower its ceiling; null: the result is judged again',
        ),
      tests_problem: z.string().nullable().describe('why the sealed tests cannot run on the rebased result'),
    })
    .nullable()
    .describe("set while Dure's own steps run again: on a rebased result, or for a longer exam"),
  conflict: sealed
    .extend({
      files: z.array(conflictedFile),
      in_worktree: z.boolean().describe('whether the merged files have been written to the worktree'),
    })
    .nullable()
    .describe('the new base merged with the result, with conflict markers, until the next result is sealed'),
  tests: z
    .strictObject({
      machine,
      exit_code: z.int().nullable(),
      ...testCounts.shape,
      ...coverageFields,
      ...inSandbox,
      tree: hash,
      tests_tree: hash,
    })
    .nullable(),
  exam: z.strictObject(examRecord).nullable().describe("whether the Verifier's tests depend on the change"),
  checks: z
    .strictObject({ tree: hash, checks: z.array(checkResult) })
    .nullable()
    .describe("results of the project's own checks"),
  verdict: verdict.nullable(),
  accepted: z.boolean().describe('the user accepted a result that did not pass'),
  mrp: sealed.extend({ files: packHashes, pack: hash }).nullable(),
  decisions: z.array(vcrId),
  feedbacks: z.int(),
  usage: z.record(z.string(), spend),
  requests_done: z.record(z.string(), timestamp),
  interrupted_from: z.string().nullable(),
  reason: z.string().nullable().describe('why the run ended, or why the approval was refused'),
});
export const stateFile = defineFile('state.json', 'The state of a run, derived from its events.log.', state);
export type RunState = Readonly<z.infer<typeof state>>;
