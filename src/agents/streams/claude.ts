/**
 * What a stream of Claude Code (stream-json) amounts to, as a fold over its lines: how the agent ended, what it
 * asked, what it used. Pure, so that the runner at work and a driver that finds only the raw log of a killed runner
 * come to the same account.
 */
import type { ErrorKind } from '../../formats/config.ts';
import type { Usage } from '../../formats/launch.ts';
import { amount, type Loose, list, part, text } from './loose.ts';
import { dollars, minus, NO_SPEND, ofMessage, ofModels, plus, type Spend, usageOf } from './spend.ts';

/** Request ids of `get_usage`, by which its answers are told from others. The first is asked before anything else. */
export const USAGE_BEFORE = 'usage-before';
export const USAGE_SO_FAR = 'usage-so-far';

/** The CLI waits through shorter limits by itself; through a longer one no process should be kept. */
const LONG_WAIT_MS = 60_000;

export interface Result {
  readonly isError: boolean;
  readonly subtype: string;
  readonly said: string;
  readonly status: number | null;
}

export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
}

export interface Acc {
  readonly session: string | null;
  readonly mode: string | null;
  /** MCP servers by name, with their state. */
  readonly servers: Readonly<Record<string, string>>;
  /** Totals of the session: when this process began, and as known by now. */
  readonly before: Spend | null;
  readonly total: Spend | null;
  /** Sum of what each result says of this process, for a CLI without `get_usage`. */
  readonly sinceBegun: Spend | null;
  /** Tokens by the messages themselves: all there is when the CLI was killed before it could be asked. */
  readonly messages: Spend | null;
  /** A message has begun that is in no total yet. */
  readonly unreckoned: boolean;
  readonly result: Result | null;
  readonly question: unknown;
  /** Word of the newest failed request: `authentication_failed`, `rate_limit`, `billing_error` … */
  readonly refusal: string | null;
  /** End of a limit that refuses requests, in milliseconds since 1970. */
  readonly limitEnds: number | null;
  /** A limit that the CLI would sit through, and for how long. */
  readonly longWaitMs: number | null;
  readonly failure: Failure | null;
  /** Background tasks at work and turns that wait: with either, the newest result is not the last. */
  readonly tasks: number;
  readonly queued: number;
}

export const begin = (): Acc => ({
  session: null,
  mode: null,
  servers: {},
  before: null,
  total: null,
  sinceBegun: null,
  messages: null,
  unreckoned: false,
  result: null,
  question: null,
  refusal: null,
  limitEnds: null,
  longWaitMs: null,
  failure: null,
  tasks: 0,
  queued: 0,
});

export function step(acc: Acc, event: Loose): Acc {
  switch (event['type']) {
    case 'system':
      return system(acc, event);
    case 'assistant':
      return { ...acc, refusal: text(event['error']) };
    case 'stream_event':
      return message(acc, part(event['event']));
    case 'control_response':
      return answer(acc, part(event['response']));
    case 'rate_limit_event':
      return limit(acc, part(event['rate_limit_info']));
    case 'result':
      return result(acc, event);
    default:
      return acc;
  }
}

function system(acc: Acc, event: Loose): Acc {
  switch (event['subtype']) {
    case 'init':
      return {
        ...acc,
        session: text(event['session_id']) ?? acc.session,
        mode: text(event['permissionMode']),
        servers: Object.fromEntries(
          list(event['mcp_servers'])
            .map(part)
            .map(server => [text(server['name']) ?? '', text(server['status']) ?? '']),
        ),
      };
    case 'api_retry':
      return retry(acc, event);
    case 'background_tasks_changed':
      return { ...acc, tasks: list(event['tasks']).length };
    default:
      return acc;
  }
}

function retry(acc: Acc, event: Loose): Acc {
  const status = amount(event['error_status']);
  const refusal = text(event['error']);
  // The CLI would try a wrong key ten times in three minutes; it will be as wrong then.
  if (status === 401 || status === 403)
    return {
      ...acc,
      refusal,
      failure: {
        kind: 'permission',
        message: `the API refuses the credentials (${status}, ${refusal ?? ''})`,
      },
    };
  const delay = amount(event['retry_delay_ms']) ?? 0;
  return { ...acc, refusal, longWaitMs: status === 429 && delay > LONG_WAIT_MS ? delay : acc.longWaitMs };
}

function message(acc: Acc, event: Loose): Acc {
  if (event['type'] === 'message_start') return { ...acc, unreckoned: true };
  if (event['type'] !== 'message_delta') return acc;
  return { ...acc, messages: plus(acc.messages ?? NO_SPEND, ofMessage(part(event['usage']))) };
}

function answer(acc: Acc, response: Loose): Acc {
  const asked = text(response['request_id']);
  if (response['subtype'] !== 'success' || (asked !== USAGE_BEFORE && asked !== USAGE_SO_FAR)) return acc;
  const session = part(part(response['response'])['session']);
  const cost = amount(session['total_cost_usd']);
  if (cost === null) return acc;
  const total = { ...ofModels(session['model_usage']), cost_usd: cost };
  return asked === USAGE_BEFORE
    ? { ...acc, before: total, total: acc.total ?? total }
    : { ...acc, total, unreckoned: false };
}

function limit(acc: Acc, about: Loose): Acc {
  const ends = amount(about['resetsAt']);
  if (about['status'] !== 'rejected' || ends === null) return acc;
  return { ...acc, limitEnds: ends * 1000 };
}

function result(acc: Acc, event: Loose): Acc {
  const deferred = part(event['deferred_tool_use']);
  const since = event['model_usage_since_last_result'];
  const cost = amount(event['total_cost_usd']);
  return {
    ...acc,
    session: text(event['session_id']) ?? acc.session,
    total: cost === null ? acc.total : { ...ofModels(event['modelUsage']), cost_usd: cost },
    unreckoned: cost === null && acc.unreckoned,
    sinceBegun: since === undefined ? acc.sinceBegun : plus(acc.sinceBegun ?? NO_SPEND, ofModels(since)),
    result: {
      isError: event['is_error'] === true,
      subtype: text(event['subtype']) ?? '',
      said: text(event['result']) ?? list(event['errors']).map(String).join('; '),
      status: amount(event['api_error_status']),
    },
    question: event['stop_reason'] === 'tool_deferred' ? (deferred['input'] ?? {}) : null,
    queued: amount(event['queued_turn_count']) ?? 0,
  };
}

/** Nothing more is to come: the last result is there. */
export const isOver = (acc: Acc): boolean => acc.result !== null && acc.tasks === 0 && acc.queued === 0;

export interface Account {
  readonly session: string | null;
  /** Total of the session so far, with all that was resumed in it. */
  readonly session_cost_usd: number | null;
  /** Share of this process; null when the stream says nothing of it. */
  readonly usage: Usage | null;
  readonly result: Result | null;
  /** What `consult_human` was asked, when the agent ended to wait for the answer. */
  readonly deferred: unknown;
  readonly refusal: string | null;
  readonly limitEnds: number | null;
  readonly longWaitMs: number | null;
  readonly failure: Failure | null;
}

export function accountOf(acc: Acc): Account {
  const share = acc.before && acc.total ? minus(acc.total, acc.before) : (acc.sinceBegun ?? acc.messages);
  return {
    session: acc.session,
    session_cost_usd: acc.total ? dollars(acc.total.cost_usd) : null,
    usage: share && { ...usageOf(share), ...(acc.unreckoned && { incomplete: true }) },
    result: acc.result,
    deferred: acc.question,
    refusal: acc.refusal,
    limitEnds: acc.limitEnds,
    longWaitMs: acc.longWaitMs,
    failure: acc.failure,
  };
}

/** Why an agent that has just said how it was set up must not go on; null when all is as its command asked. */
export function unfit(acc: Acc, argv: readonly string[]): Failure | null {
  if (acc.mode === null) return null;
  const server = acc.servers['dure'];
  if (server !== undefined && server !== 'connected' && server !== 'pending')
    return { kind: 'crash', message: `the MCP server dure is not there: ${server}` };
  const asked = argv.includes('--dangerously-skip-permissions')
    ? 'bypassPermissions'
    : argv[argv.indexOf('--permission-mode') + 1];
  if (argv.includes('--permission-mode') || asked === 'bypassPermissions') {
    if (acc.mode !== asked)
      return { kind: 'permission', message: `claude runs in permission mode ${acc.mode}, not ${asked}` };
  }
  return null;
}
