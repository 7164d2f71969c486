/**
 * The HTTP contract between browser and server: zod schemas for the messages, types for both sides, and the source of
 * the OpenAPI document. `socket-protocol.ts` defines the socket messages. Nothing here needs Node. The web UI imports
 * only the types (`import type`), which keeps the validation library out of the browser bundle.
 */
import { z } from 'zod';
import { CONFIG_NAMES } from '../formats/config/config.ts';
import { runEvent } from '../formats/events/events.ts';
import { role, runId, shortName, timestamp } from '../formats/schema/common-fields.ts';
import { stateFile } from '../formats/state.ts';
import { plainText } from '../formats/text/plain-text.ts';

// ── Shared types ────────────────────────────────────────────────────────────────────────────────────────────────

/** An invalid or refused request. `fields` lists the invalid keys of the body, such as `timeouts.builder`. */
const problem = z.object({
  code: z.string(),
  message: z.string(),
  suggestions: z.array(z.string()),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problem>;
export const failure = z.object({ ok: z.literal(false), error: problem });
export type FailureView = z.infer<typeof failure>;

/** The request was accepted and caused this event in the run's events.log. `id` is `<run_id>#<seq>`. */
export const recordedEvent = z.object({
  ok: z.literal(true),
  id: z.string(),
  event: z.object({ type: z.string(), seq: z.int() }),
  vcr_id: z.string().optional(),
});
export type Recorded = z.infer<typeof recordedEvent>;
/** `E_NOT_TAKEN` (HTTP 202): the request is in the run folder, but no driver has processed it yet. */
export type ActionResult = Recorded | FailureView;

export const severity = z.enum(['info', 'warning', 'error', 'success']);
/** What a run needs from the user: an answer to a question, or a review of its pack. */
const want = z.enum(['answer', 'review']);
export type Want = z.infer<typeof want>;

// ── Session ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The one-time code from the URL fragment (`/#code=…`), valid for two minutes. */
export const sessionBody = z.strictObject({ code: z.string().min(1).max(200) });
export const session = z.object({ token: z.string() });
export type SessionView = z.infer<typeof session>;

/** The server proves its identity before the page sends its own proof; see `session-handshake.ts`. */
export const proofBody = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the SHA-256 of the session'),
  nonce: z.string().regex(/^[\w-]{32,100}$/),
});
export const sessionProof = z.object({
  nonce: z.string().describe('nonce of this server process'),
  proof: z.string().describe('HMAC-SHA-256, keyed by the SHA-256 of the session'),
});
export type SessionProof = z.infer<typeof sessionProof>;

// ── Runs ────────────────────────────────────────────────────────────────────────────────────────────────────────

const runRow = z.object({
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

const RUN_SORTS = ['newest', 'oldest', 'updated', 'cost', 'title'] as const;
export const runsQuery = z.strictObject({
  search: z.string().max(200).default(''),
  phase: z.string().max(200).default('').describe('one or more phases, comma-separated'),
  sort: z.enum(RUN_SORTS).default('newest'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(25),
});
export type RunsQuery = z.input<typeof runsQuery>;
export const runsPage = z.object({
  runs: z.array(runRow),
  total: z.int().describe('number of matches on all pages'),
  page: z.int(),
  limit: z.int(),
  phases: z.record(z.string(), z.int()).describe('number of runs in each phase, regardless of the filter'),
});
export type RunsPage = z.infer<typeof runsPage>;

export const startBody = z.strictObject({
  briefing: z
    .string()
    .trim()
    .max(200_000)
    .refine(text => plainText(text).trim() !== '', 'Describe what to do.'),
  base: z.string().min(1).max(200).optional().describe('branch, tag or commit; default: the current commit'),
  budget_usd: z.number().positive().nullable().optional(),
  backend: shortName('expected a name such as claude').optional(),
  pipeline: shortName('expected a name such as quick')
    .optional()
    .describe('default: the configured pipeline'),
  yes: z.boolean().optional().describe('accept the recommendation for every question'),
  accept_commands: z
    .boolean()
    .optional()
    .describe('run set-up, checks and MCP servers even if they have changed since a person last saw them'),
});
export type StartBody = z.infer<typeof startBody>;
export const started = z.object({ ok: z.literal(true), run_id: runId });
export type StartedView = z.infer<typeof started>;

/** The contents of state.json, plus derived fields for the web UI. */
export const runView = stateFile.shape.extend({
  title: z.string(),
  briefing: z.string(),
  refined: z.string().nullable(),
  driven: z.boolean().describe('a process is driving this run'),
  wants: want.nullable(),
  working: z
    .boolean()
    .describe('an agent is running or about to start: it can be restarted or given more time'),
  deadline: timestamp.nullable().describe('when the running agent times out'),
  cost_usd: z.number(),
  cost_complete: z.boolean(),
  branch: z.string().describe('branch that holds the result'),
  attach: z.string().nullable().describe('command that shows the panes'),
  rehearsal: z.boolean(),
});
export type RunView = z.infer<typeof runView>;

const seenEvent = z.object({ seq: z.int(), severity, event: runEvent });
export type SeenEvent = z.infer<typeof seenEvent>;
export const eventsPage = z.object({ events: z.array(seenEvent), last: z.int() });
export type EventsPage = z.infer<typeof eventsPage>;

// ── Agent output ────────────────────────────────────────────────────────────────────────────────────────────────

const textStyle = z.object({
  from: z.int().describe('index in the text'),
  to: z.int(),
  marks: z.array(z.enum(['bold', 'dim', 'italic', 'underline'])),
  color: z.string().optional().describe('#rrggbb'),
  background: z.string().optional().describe('#rrggbb'),
});
export type TextStyle = z.infer<typeof textStyle>;
/** Sanitized text: no terminal sequences, and no control characters except newline and tab. */
const outputLine = z.object({
  kind: z.enum(['text', 'thinking', 'tool', 'result', 'error', 'note', 'raw']),
  text: z.string().describe('without control sequences'),
  styles: z.array(textStyle).optional().describe('colours and font styles that the agent printed'),
});
export type OutputLine = z.infer<typeof outputLine>;
export const streamQuery = z.strictObject({
  launch: z.coerce.number().int().positive().optional().describe('default: the newest launch of this role'),
  offset: z.coerce.number().int().nonnegative().default(0).describe('byte offset in the raw stream'),
  tail: z.coerce
    .number()
    .int()
    .positive()
    .max(256_000)
    .optional()
    .describe('instead of an offset: the last whole lines, up to this many bytes'),
  raw: z.enum(['0', '1']).default('0'),
});
export const streamPage = z.object({
  role,
  launch: z.int().nullable(),
  launches: z.array(z.int()),
  offset: z.int().describe('offset of the first line'),
  next: z.int().describe('offset to pass to the next read'),
  size: z.int(),
  lines: z.array(outputLine),
});
export type StreamPage = z.infer<typeof streamPage>;

// ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────────

export const configName = z.enum(CONFIG_NAMES);
const object = z.record(z.string(), z.unknown());
export const configView = z.object({
  name: configName,
  about: z.string(),
  file: z.string(),
  written: object.describe('contents of the file'),
  value: object.describe('contents of the file with defaults filled in'),
  defaults: object,
  schema: object.describe('JSON Schema; each description is the help text'),
  confirm: z
    .array(z.string())
    .describe('keys that control what is executed; changing them requires confirmation'),
  problem: z.string().nullable().describe('why the current file is invalid'),
});
export type ConfigView = z.infer<typeof configView>;
export const configBody = z.strictObject({
  value: object,
  confirm: z
    .boolean()
    .default(false)
    .describe('the user has confirmed the change to commands or permissions'),
});
export type ConfigBody = z.input<typeof configBody>;

// ── Overview ────────────────────────────────────────────────────────────────────────────────────────────────────

export const overview = z.object({
  project: z.object({ name: z.string(), root: z.string() }),
  version: z.string(),
  waiting: z.array(runRow).describe('the longest wait first'),
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
export type OverviewView = z.infer<typeof overview>;

/** Another project in which runs wait for the user. */
export const otherProject = z.object({
  name: z.string(),
  root: z.string(),
  waiting: z.int().describe('number of runs that wait for the user'),
  since: timestamp.describe('start of the longest wait'),
  url: z.string().nullable().describe('URL of the pages of the project; null if no process serves them'),
  command: z.string().describe('command that opens the pages of the project'),
});
export type OtherProject = z.infer<typeof otherProject>;
