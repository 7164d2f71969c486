/** The files of one launch: what was requested, which runner claimed it, what delays it, how it ended. */
import { z } from 'zod';
import { launchSandbox } from './agent-sandbox.ts';
import { missingAfterSetUp } from './missing-after-set-up.ts';
import { errorKind, role, timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

/** Environment variables of every process in a launch: the run folder and the number of the launch. */
export const LAUNCH_MARKS = ['DURE_RUN', 'DURE_LAUNCH'] as const;
export type LaunchMark = (typeof LAUNCH_MARKS)[number];

/** Identifies a process, and distinguishes it from a later process with the same pid. */
export const identity = z.strictObject({
  pid: z.int().positive(),
  boot: z.string().describe('boot id of the machine'),
  started: z.string().describe('start time in clock ticks since boot'),
});
export type Identity = z.infer<typeof identity>;

/**
 * The process that claimed a launch. Only this process knows its token, which proves that an exit record comes from it:
 * an agent without a sandbox can kill its runner and write every file of the launch.
 */
export const runnerIdentity = identity.extend({
  token_hash: z.string().describe('SHA-256 of the token in the exit record'),
});
export type RunnerIdentity = z.infer<typeof runnerIdentity>;

const launch = z.strictObject({
  launch: z.int().positive(),
  run_id: z.string(),
  role,
  step: z.string(),
  iteration: z.int().positive(),
  backend: z.string(),
  /**
   * How the runner interprets standard output: `claude` is stream-json, `text` is shown unchanged, the others are
   * Dure's own.
   */
  stream: z.enum(['claude', 'text', 'setup', 'proof', 'exam', 'checks']),
  argv: z.array(z.string()).min(1),
  cwd: z.string(),
  variables: z.array(z.string()).describe('names of all environment variables; none are inherited'),
  environment: z.string().describe('private file with their values, until the launch is claimed'),
  checks_environment: z
    .string()
    .nullable()
    .describe(
      'private file with the environment of the checks that run while this agent works; null when none do',
    ),
  sandbox: launchSandbox.optional().describe('sandbox of the agent; absent: none'),
  prompt: z.string().nullable().describe('file whose contents are sent to standard input'),
  resumes: z.boolean().describe('whether a session is resumed; if so, nothing is sent to standard input'),
  silence_ms: z.number().optional().describe('how long the agent may go without output; absent: no limit'),
  budget_usd: z
    .number()
    .nonnegative()
    .optional()
    .describe('what the agent may cost, in US dollars, before the runner stops it; absent: no limit'),
  session: z.string().nullable(),
  /** Files whose existence marks success, relative to the run folder. */
  artefacts: z.array(z.string()),
  created_at: timestamp,
});
export const launchFile = defineFile('launches/*.json', 'What an agent was started with.', launch);
export type LaunchSpec = z.infer<typeof launch>;

const claim = z.strictObject({ launch: z.int().positive(), runner: runnerIdentity, claimed_at: timestamp });
export const claimFile = defineFile(
  'launches/*.claim.json',
  'The one process that claimed this launch.',
  claim,
);
export type Claim = z.infer<typeof claim>;

export const usage = z.strictObject({
  input_tokens: z.int().nonnegative(),
  output_tokens: z.int().nonnegative(),
  cache_read_input_tokens: z.int().nonnegative(),
  cache_creation_input_tokens: z.int().nonnegative(),
  /** Cost of this launch in US dollars, as reported by the CLI; null if unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'the CLI or its runner was killed before the last usage was reported: all numbers are lower bounds',
    ),
});
export type Usage = z.infer<typeof usage>;

export const reducedSetup = z.strictObject({
  builds: z.array(z.string()).describe('parts of workspace.setup that fail on base'),
  setup: z
    .string()
    .nullable()
    .describe('workspace.setup without the parts in `builds`; the run uses it from now on'),
});

const exit = z.strictObject({
  launch: z.int().positive(),
  code: z.int().nullable(),
  signal: z.string().nullable(),
  /** Determined from the last result in the stream, the exit code and the files. */
  outcome: z.enum(['ok', 'error', 'deferred', 'rate-limited', 'disk-full', 'budget', 'silent', 'stopped']),
  kind: errorKind.nullable(),
  message: z.string(),
  retry_at: timestamp.nullable().describe('if the outcome is rate-limited: when the limit resets'),
  session: z.string().nullable(),
  /** The question passed to `consult_human` if the outcome is `deferred`. */
  question: z.unknown().nullable(),
  usage: usage.nullable(),
  /** Total cost of the session so far. A resumed launch computes its own share from it. */
  session_cost_usd: z.number().nonnegative().nullable(),
  without: reducedSetup
    .optional()
    .describe('parts of the set-up that were skipped because they fail on base'),
  missing: missingAfterSetUp.missing_requirements,
  ended_at: timestamp,
});
export type Exit = z.infer<typeof exit>;
const exitRecord = exit.extend({ token: z.string().describe("the runner's token") });
export const exitFile = defineFile('launches/*.exit.json', 'How an agent ended.', exitRecord);
export type ExitRecord = z.infer<typeof exitRecord>;

const delay = z.strictObject({ reason: z.string().nullable().describe('null if the delay is over') });
export const delayFile = defineFile(
  'launches/*.delay.json',
  'What delays the API requests of a running agent.',
  delay,
);
