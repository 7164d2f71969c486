/**
 * What browser and server say to each other, said once: zod for what crosses the wire, types for both sides,
 * and the OpenAPI document is made of it. Nothing here needs node; pages import the types only (`import type`),
 * so that no validation library reaches the browser by this way.
 */
import { z } from 'zod';
import { CONFIG_NAMES } from '../formats/config.ts';
import { crpFile, vcrFile } from '../formats/consultation.ts';
import { crpId, hash, role, runId, timestamp } from '../formats/define.ts';
import { runEvent } from '../formats/events.ts';
import { evidenceFile } from '../formats/mrp.ts';
import { stateFile } from '../formats/state.ts';
import { testOutputFile } from '../formats/tests.ts';
import { feedbackFile } from '../formats/wish.ts';

// ── Shared words ────────────────────────────────────────────────────────────────────────────────────────────────

/** A mistake of the one who asked, or a refusal. `fields` name keys of the body: `timeouts.builder`. */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  suggestions: z.array(z.string()),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problem>;
export const failure = z.object({ ok: z.literal(false), error: problem });
export type Failure = z.infer<typeof failure>;

/** The wish was taken: this line of the run's events.log is its consequence. `id` is `<run_id>#<seq>`. */
export const recorded = z.object({
  ok: z.literal(true),
  id: z.string(),
  event: z.object({ type: z.string(), seq: z.int() }),
  vcr_id: z.string().optional(),
});
export type Recorded = z.infer<typeof recorded>;
/** With `E_NOT_TAKEN` (HTTP 202) the wish lies in the run folder but nobody has taken it up yet. */
export type Outcome = Recorded | Failure;

export const severity = z.enum(['info', 'warning', 'error', 'success']);
/** What a run wants of a person: an answer to a question, or the review of its pack. */
export const want = z.enum(['answer', 'review']);
export type Want = z.infer<typeof want>;

// ── Session ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The code of the URL fragment (`/#code=…`), good once and for two minutes. */
export const sessionBody = z.strictObject({ code: z.string().min(1).max(200) });
export const session = z.object({ token: z.string() });
export type Session = z.infer<typeof session>;

/** How a server proves itself to a page before the page shows that it is let in: see `handshake.ts`. */
export const proofBody = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the SHA-256 of the session'),
  nonce: z.string().regex(/^[\w-]{32,100}$/),
});
export const proof = z.object({
  nonce: z.string().describe('of this process of the server'),
  proof: z.string().describe('HMAC-SHA-256, keyed by the SHA-256 of the session'),
});
export type Proof = z.infer<typeof proof>;

// ── Runs ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const runRow = z.object({
  run_id: runId,
  title: z.string().describe('first line of the briefing'),
  phase: z.string().describe('a phase, or "unreadable" with `problem`'),
  step: z.string().nullable(),
  iteration: z.int(),
  max_iterations: z.int(),
  started_at: timestamp,
  updated_at: timestamp,
  wants: want.nullable(),
  pending_crp: z.string().nullable(),
  verdict: z.string().nullable(),
  cost_usd: z.number(),
  cost_complete: z.boolean().describe('false: the cost is a lower bound'),
  problem: z.string().nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const RUN_SORTS = ['newest', 'oldest', 'updated', 'cost', 'title'] as const;
export const runsQuery = z.strictObject({
  search: z.string().max(200).default(''),
  phase: z.string().max(200).default('').describe('one or several phases, separated by commas'),
  sort: z.enum(RUN_SORTS).default('newest'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(25),
});
export type RunsQuery = z.input<typeof runsQuery>;
export const runsPage = z.object({
  runs: z.array(runRow),
  total: z.int().describe('matches on all pages'),
  page: z.int(),
  limit: z.int(),
  phases: z.record(z.string(), z.int()).describe('how many runs stand in each phase, whatever the filter'),
});
export type RunsPage = z.infer<typeof runsPage>;

export const startBody = z.strictObject({
  briefing: z.string().trim().min(1, 'Say what should be done.').max(200_000),
  base: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('branch, tag or commit; default: where the checkout stands'),
  budget_usd: z.number().positive().nullable().optional(),
  backend: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .optional(),
  yes: z.boolean().optional().describe('take the recommendation whenever a question comes'),
});
export type StartBody = z.infer<typeof startBody>;
export const started = z.object({ ok: z.literal(true), run_id: runId });
export type Started = z.infer<typeof started>;

/** The state as in state.json, and what pages want beside it. */
export const runView = stateFile.shape.extend({
  title: z.string(),
  briefing: z.string(),
  refined: z.string().nullable(),
  driven: z.boolean().describe('somebody drives this run now'),
  wants: want.nullable(),
  working: z.boolean().describe('an agent is, or should be, at work: it can be retried and given more time'),
  deadline: timestamp.nullable().describe('when the time of the agent at work runs out'),
  cost_usd: z.number(),
  cost_complete: z.boolean(),
  branch: z.string().describe('branch the result is on'),
  attach: z.string().nullable().describe('command that shows the panes'),
  rehearsal: z.boolean(),
});
export type RunView = z.infer<typeof runView>;

export const seenEvent = z.object({ seq: z.int(), severity, event: runEvent });
export type SeenEvent = z.infer<typeof seenEvent>;
export const eventsPage = z.object({ events: z.array(seenEvent), last: z.int() });
export type EventsPage = z.infer<typeof eventsPage>;

// ── Questions and decisions ─────────────────────────────────────────────────────────────────────────────────────

export const crps = z.object({
  pending: z.array(crpFile.shape),
  resolved: z.array(z.object({ crp: crpFile.shape, vcr: vcrFile.shape })),
});
export type Crps = z.infer<typeof crps>;
export const crpView = z.object({
  crp: crpFile.shape,
  vcr: vcrFile.shape.nullable().describe('the answer, once there is one'),
  open: z.boolean().describe('the run waits for this answer'),
});
export type CrpView = z.infer<typeof crpView>;

const decision = z
  .string()
  .min(1)
  .max(4000)
  .optional()
  .describe(
    'id of an option, an option as it was shown, OTHER with a rationale, or an amount where more budget is asked for; without it the rationale alone, or the amount, is the answer',
  );
const amount = z.number().positive().optional().describe('US dollars that are granted more');
/** Spelled as in vcr-NNN.json. */
export const vcrBody = z.strictObject({
  crp_id: crpId,
  decision,
  amount_usd: amount,
  rationale: z.string().max(20_000).optional(),
  additional_notes: z.string().max(20_000).optional(),
  applies_to_future: z.boolean().optional(),
});
export type VcrBody = z.infer<typeof vcrBody>;
/** The same, spelled as on the dashboard socket. */
export const crpResponse = z.strictObject({
  crpId,
  decision,
  amountUsd: amount,
  rationale: z.string().max(20_000).optional(),
  additionalNotes: z.string().max(20_000).optional(),
  appliesToFuture: z.boolean().optional(),
});
export type CRPResponse = z.infer<typeof crpResponse>;

export const stopBody = z.strictObject({ reason: z.string().max(2000).optional() });
export const retryBody = z.strictObject({
  agent: role.optional().describe('refused unless this one is at work'),
});
export const extendBody = z.strictObject({ ms: z.int().positive().max(86_400_000) });
/** Approval binds to the tree that was shown. */
export const approveBody = z.strictObject({
  tree: hash,
  how: z.enum(['merge', 'branch', 'pr']).default('merge'),
});
export type ApproveBody = z.input<typeof approveBody>;
export const rejectBody = z.strictObject({
  tree: hash,
  feedback: z.string().max(50_000).default(''),
  comments: feedbackFile.shape.shape.comments,
});
export type RejectBody = z.input<typeof rejectBody>;

// ── Merge-readiness pack ────────────────────────────────────────────────────────────────────────────────────────

export const mrpView = z.object({
  run_id: runId,
  commit: hash,
  tree: hash.describe('what an approval or a rejection of this page must name'),
  open: z.boolean().describe('a decision can be taken now'),
  refused: z.string().nullable().describe('why the last approval was refused'),
  summary: z.string().describe('Markdown'),
  evidence: evidenceFile.shape.nullable(),
  patch: z.string().describe('unified diff'),
  patch_truncated: z.boolean(),
  tests: testOutputFile.shape.nullable(),
  log_tail: z.string().describe('end of the real test log'),
  files: z.array(z.string()).describe('all files of the result, at most 5000'),
  decisions: z.array(z.object({ crp: crpFile.shape.nullable(), vcr: vcrFile.shape })),
});
export type MrpView = z.infer<typeof mrpView>;

// ── What agents print ───────────────────────────────────────────────────────────────────────────────────────────

/** Safe text: no terminal sequence and no control character but newline and tab is left in it. */
export const outputLine = z.object({
  kind: z.enum(['text', 'thinking', 'tool', 'result', 'error', 'note', 'raw']),
  text: z.string(),
});
export type OutputLine = z.infer<typeof outputLine>;
export const streamQuery = z.strictObject({
  launch: z.coerce.number().int().positive().optional().describe('default: the newest of this role'),
  offset: z.coerce.number().int().nonnegative().default(0).describe('bytes into the raw stream'),
  raw: z.enum(['0', '1']).default('0'),
});
export const streamPage = z.object({
  role,
  launch: z.int().nullable(),
  launches: z.array(z.int()),
  offset: z.int(),
  next: z.int().describe('offset to go on from'),
  size: z.int(),
  lines: z.array(outputLine),
});
export type StreamPage = z.infer<typeof streamPage>;

// ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────────

export const configName = z.enum(
  CONFIG_NAMES as [(typeof CONFIG_NAMES)[number], ...(typeof CONFIG_NAMES)[number][]],
);
const object = z.record(z.string(), z.unknown());
export const configView = z.object({
  name: configName,
  about: z.string(),
  file: z.string(),
  written: object.describe('what stands in the file'),
  value: object.describe('the same with every default'),
  defaults: object,
  schema: object.describe('JSON Schema; each description is the help text'),
  confirm: z
    .array(z.string())
    .describe('keys whose change asks for confirmation: they decide what is executed'),
  problem: z.string().nullable().describe('what is wrong with the file as it stands'),
});
export type ConfigView = z.infer<typeof configView>;
export const configBody = z.strictObject({
  value: object,
  confirm: z.boolean().default(false).describe('the person has seen that commands or permissions change'),
});
export type ConfigBody = z.input<typeof configBody>;

// ── Overview ────────────────────────────────────────────────────────────────────────────────────────────────────

export const overview = z.object({
  project: z.object({ name: z.string(), root: z.string() }),
  version: z.string(),
  waiting: z.array(runRow),
  active: z.array(runRow),
  recent: z.array(runRow),
  runs: z.int(),
  cost: z.object({
    usd: z.number(),
    complete: z.boolean(),
    by_role: z.record(z.string(), z.number()),
    by_day: z
      .array(z.object({ day: z.string().describe('YYYY-MM-DD'), usd: z.number() }))
      .describe('last 30 days'),
  }),
});
export type Overview = z.infer<typeof overview>;

// ── Health ──────────────────────────────────────────────────────────────────────────────────────────────────────

export const check = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  message: z.string().optional(),
  latency_ms: z.number().optional(),
});
export type Check = z.infer<typeof check>;
export const health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp,
  version: z.string(),
  uptime: z.int().describe('seconds'),
  checks: z.object({ orchestrator: check, tmux: check, fileSystem: check }),
});
export type Health = z.infer<typeof health>;
export const live = z.object({ status: z.literal('ok'), timestamp });
export const ready = z.object({
  status: z.enum(['ready', 'not_ready']),
  timestamp,
  checks: z.object({ fileSystem: check, config: check }),
});
export type Ready = z.infer<typeof ready>;
export const interrupted = z.object({
  count: z.int(),
  runs: z.array(
    z.object({
      runId,
      phase: z.string(),
      lastAgent: z.string().nullable(),
      interruptedAt: timestamp,
      canResume: z.boolean(),
      resumeStrategy: z.enum(['restart_agent', 'restart_gatekeeper', 'continue_waiting', 'none']),
    }),
  ),
  timestamp,
});
export type Interrupted = z.infer<typeof interrupted>;

// ── Sockets: namespace /dashboard ───────────────────────────────────────────────────────────────────────────────

export type AgentName = 'refiner' | 'builder' | 'verifier' | 'gatekeeper';
export type DashboardStage = 'REFINE' | 'BUILD' | 'VERIFY' | 'GATE' | 'DONE' | 'FAILED' | 'WAITING_HUMAN';
export type DashboardAgentStatus = 'idle' | 'running' | 'done' | 'error';

export interface DashboardAgentData {
  status: DashboardAgentStatus;
  /** The end of what the agent's last launch printed, readable, at most 8 kB. */
  output: string;
  /** ISO 8601: on the wire a Date is a string. */
  startedAt?: string;
  finishedAt?: string;
}

export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  costUsd: number;
  /** False: some launch left no cost behind, so that `costUsd` is a lower bound. */
  complete: boolean;
}
export interface DashboardUsage {
  total: TokenUse;
  byAgent: Record<string, TokenUse>;
}

export interface DashboardProgress {
  phase: string;
  step: string | null;
  iteration: number;
  maxIterations: number;
  /** Steps of this iteration that are done, and all of them. */
  stepsDone: number;
  steps: number;
}

export interface DashboardCRP {
  agent: string;
  question: string;
  /** Each `id: label`; the decision may be the whole string, the id or the label. */
  options: string[];
  crpId: string;
}

export interface DashboardData {
  runId: string;
  stage: DashboardStage;
  agents: Record<AgentName, DashboardAgentData>;
  usage: DashboardUsage;
  crp?: DashboardCRP;
  progress: DashboardProgress;
}

/** Something a person should hear of without asking. Each is sent once; `id` lets several tabs show it once. */
export interface BrowserNotice {
  id: string;
  run_id: string;
  at: string;
  type: string;
  severity: z.infer<typeof severity>;
  text: string;
  /** Page to open: `/run/…/crp/…`, `/run/…/mrp` or `/run/…`. */
  page: string;
}

export const streamSubscribe = z.strictObject({
  runId,
  role,
  offset: z.int().nonnegative().optional().describe('default: the last 64 kB of the newest launch'),
  launch: z.int().positive().optional(),
  raw: z.boolean().default(false),
});
export type StreamSubscribe = z.input<typeof streamSubscribe>;
export const streamGrant = z.strictObject({
  stream: z.int().positive(),
  bytes: z.int().positive().max(1_048_576),
});
export type StreamGrant = z.infer<typeof streamGrant>;

/** A piece of a stream. The page grants as many bytes again once it has shown it; without credit nothing comes. */
export interface StreamPiece {
  stream: number;
  launch: number;
  lines: OutputLine[];
  /** Bytes of the raw stream that this piece stands for: what is to be granted again. */
  bytes: number;
  /** Where the raw stream goes on. */
  offset: number;
  /** Bytes left out before this piece, because the agent printed faster than the page could show. */
  skipped: number;
  /** The first piece of another launch: what was shown before belongs to the one before. */
  fresh: boolean;
}
/** `initial` credit is 256 kB. */
export type StreamOpened = { ok: true; stream: number; launch: number | null; offset: number } | Failure;

type Ack<T> = (answer: T) => void;

export interface DashboardToServer {
  'dashboard:subscribe': (runId: string, ack?: Ack<{ ok: true } | Failure>) => void;
  'dashboard:unsubscribe': (ack?: Ack<{ ok: true }>) => void;
  'dashboard:crp-response': (response: CRPResponse, ack?: Ack<Outcome>) => void;
  'dashboard:request-update': (ack?: Ack<{ ok: true } | Failure>) => void;
  'stream:subscribe': (wanted: StreamSubscribe, ack: Ack<StreamOpened>) => void;
  'stream:grant': (grant: StreamGrant) => void;
  'stream:unsubscribe': (stream: number) => void;
}

export interface ServerToDashboard {
  'dashboard:update': (data: DashboardData) => void;
  'dashboard:crp': (crp: DashboardCRP) => void;
  'dashboard:stage-change': (change: { previousStage: DashboardStage; newStage: DashboardStage }) => void;
  'dashboard:agent-status-change': (change: {
    agent: string;
    previousStatus: DashboardAgentStatus;
    newStatus: DashboardAgentStatus;
  }) => void;
  'dashboard:error': (error: { error: string }) => void;
  'dashboard:subscribed': (run: { runId: string }) => void;
  'dashboard:unsubscribed': () => void;
  /** Events of the subscribed run as they are recorded; after a gap ask `/api/runs/:id/events?since=`. */
  'run:events': (run: { runId: string; events: SeenEvent[] }) => void;
  /** Some run stands elsewhere than before (to every page, at most twice a second): lists are to be fetched anew. */
  'runs:changed': (change: { runs: RunRow[] }) => void;
  /** Files that agents of the subscribed run made or changed, worktree and questions included: paths relative to the run folder. */
  'run:files': (change: { runId: string; files: string[] }) => void;
  'stream:piece': (piece: StreamPiece) => void;
  notice: (notice: BrowserNotice) => void;
  /** The server goes; agents go on. Another one takes its place, and the socket finds it by itself. */
  'server:closing': () => void;
}

// ── Sockets: default namespace ──────────────────────────────────────────────────────────────────────────────────

const ofRun = { run_id: runId };
export const retryAgent = z.strictObject({ ...ofRun, agent: role.optional() });
export const stopRun = z.strictObject({ ...ofRun, reason: z.string().max(2000).optional() });
export const extendTimeout = z.strictObject({ ...ofRun, ms: extendBody.shape.ms });
export const vcrSubmit = vcrBody.extend(ofRun);

export interface OrchestratorToServer {
  'retry.agent': (wish: z.input<typeof retryAgent>, ack?: Ack<Outcome>) => void;
  'stop.run': (wish: z.input<typeof stopRun>, ack?: Ack<Outcome>) => void;
  'extend.timeout': (wish: z.input<typeof extendTimeout>, ack?: Ack<Outcome>) => void;
  'vcr.submit': (wish: z.input<typeof vcrSubmit>, ack?: Ack<Outcome>) => void;
}

/** A line of events.log with the run it is of and its number. */
export type RecordedEvent<T extends string> = Extract<z.infer<typeof runEvent>, { type: T }> & {
  run_id: string;
  seq: number;
};
type Told =
  | 'agent.started'
  | 'agent.completed'
  | 'agent.failed'
  | 'agent.timeout'
  | 'crp.created'
  | 'run.completed'
  | 'run.failed';
export type ServerToOrchestrator = { [T in Told]: (event: RecordedEvent<T>) => void } & {
  'phase.changed': (change: {
    run_id: string;
    seq: number;
    at: string;
    previous: string;
    phase: string;
  }) => void;
  error: (error: { error: string }) => void;
  'server:closing': () => void;
};
