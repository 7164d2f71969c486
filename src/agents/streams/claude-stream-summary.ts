/**
 * Summarizes a stream of Claude Code (stream-json) as a fold over its lines: outcome, question and usage. Pure, so
 * that a live runner and a driver that only has the raw log of a killed runner get the same result.
 */

import type { Usage } from '../../formats/launch.ts';
import type { ErrorKind } from '../../formats/schema/common-fields.ts';
import { arrayAt, type JsonObject, numberAt, objectAt, textAt } from '../../formats/schema/json-access.ts';
import {
  dollars,
  minus,
  NO_USAGE,
  ofMessage,
  ofModels,
  plus,
  type SessionUsage,
  usageOf,
} from './session-usage.ts';

/** Request ids of `get_usage`, which identify its answers. The first is sent before anything else. */
export const USAGE_BEFORE = 'usage-before';
export const USAGE_SO_FAR = 'usage-so-far';

/** The CLI waits out shorter limits itself; a longer wait is not worth keeping a process alive for. */
const LONG_WAIT_MS = 60_000;

export interface StreamResult {
  readonly isError: boolean;
  readonly subtype: string;
  readonly text: string;
  readonly status: number | null;
}

export interface StreamFailure {
  readonly kind: ErrorKind;
  readonly message: string;
}

export interface StreamState {
  readonly session: string | null;
  readonly mode: string | null;
  /** MCP servers by name, with their state. */
  readonly servers: Readonly<Record<string, string>>;
  /** Totals of the session: as of the start of this process, and the latest. */
  readonly before: SessionUsage | null;
  readonly total: SessionUsage | null;
  /** Sum of the usage in this process's results, for a CLI without `get_usage`. */
  readonly sinceStart: SessionUsage | null;
  /** Tokens counted from the messages: the only source if the CLI was killed before it reported its usage. */
  readonly messages: SessionUsage | null;
  /** Whether `total` may be too low: a later message is not in it, or a later total could not be read. */
  readonly hasUnknownCost: boolean;
  readonly result: StreamResult | null;
  /** The question for `consult_human`, if the agent exited to wait for the answer. */
  readonly deferred: unknown;
  /** Error type of the latest failed request: `authentication_failed`, `rate_limit`, `billing_error` … */
  readonly refusal: string | null;
  /** When the limit that rejects requests resets, in milliseconds since 1970. */
  readonly limitEnds: number | null;
  /** How long the CLI would wait for a rate limit to reset, if longer than `LONG_WAIT_MS`; otherwise null. */
  readonly longWaitMs: number | null;
  readonly failure: StreamFailure | null;
  /** Number of background tasks and queued turns; while any remain, the latest result is not the final one. */
  readonly tasks: number;
  readonly queued: number;
}

export const initialStream = (): StreamState => ({
  session: null,
  mode: null,
  servers: {},
  before: null,
  total: null,
  sinceStart: null,
  messages: null,
  hasUnknownCost: false,
  result: null,
  deferred: null,
  refusal: null,
  limitEnds: null,
  longWaitMs: null,
  failure: null,
  tasks: 0,
  queued: 0,
});

export function readStreamLine(acc: StreamState, event: JsonObject): StreamState {
  switch (event['type']) {
    case 'system':
      return system(acc, event);
    case 'assistant':
      return { ...acc, refusal: textAt(event['error']) };
    case 'stream_event':
      return message(acc, objectAt(event['event']));
    case 'control_response':
      return answer(acc, objectAt(event['response']));
    case 'rate_limit_event':
      return limit(acc, objectAt(event['rate_limit_info']));
    case 'result':
      return result(acc, event);
    default:
      return acc;
  }
}

function system(acc: StreamState, event: JsonObject): StreamState {
  switch (event['subtype']) {
    case 'init':
      return {
        ...acc,
        session: textAt(event['session_id']) ?? acc.session,
        mode: textAt(event['permissionMode']),
        servers: Object.fromEntries(
          arrayAt(event['mcp_servers'])
            .map(objectAt)
            .map(server => [textAt(server['name']) ?? '', textAt(server['status']) ?? '']),
        ),
      };
    case 'api_retry':
      return retry(acc, event);
    case 'background_tasks_changed':
      return { ...acc, tasks: arrayAt(event['tasks']).length };
    default:
      return acc;
  }
}

function retry(acc: StreamState, event: JsonObject): StreamState {
  const status = numberAt(event['error_status']);
  const refusal = textAt(event['error']);
  // The CLI would retry an invalid key ten times in three minutes, without success.
  if (status === 401 || status === 403)
    return {
      ...acc,
      refusal,
      failure: {
        kind: 'permission',
        message: `the API rejected the credentials (${status}, ${refusal ?? ''})`,
      },
    };
  const delay = numberAt(event['retry_delay_ms']) ?? 0;
  return { ...acc, refusal, longWaitMs: status === 429 && delay > LONG_WAIT_MS ? delay : acc.longWaitMs };
}

export function message(acc: StreamState, event: JsonObject): StreamState {
  if (event['type'] === 'message_start') return { ...acc, hasUnknownCost: true };
  if (event['type'] !== 'message_delta') return acc;
  return { ...acc, messages: plus(acc.messages ?? NO_USAGE, ofMessage(objectAt(event['usage']))) };
}

function answer(acc: StreamState, response: JsonObject): StreamState {
  const asked = textAt(response['request_id']);
  if (response['subtype'] !== 'success' || (asked !== USAGE_BEFORE && asked !== USAGE_SO_FAR)) return acc;
  const session = objectAt(objectAt(response['response'])['session']);
  const total = readTotal(acc, session['total_cost_usd'], session['model_usage']);
  if (asked !== USAGE_BEFORE) return withTotal(acc, total);
  return total ? { ...acc, before: total, total: acc.total ?? total } : acc;
}

/** No session costs this much, so a higher total is a bug in the CLI. */
const LIMIT_USD = 1e9;

/** Null if `cost` is not a plausible amount, or is less than an earlier total of the same session. */
function readTotal({ total }: StreamState, cost: unknown, models: unknown): SessionUsage | null {
  const usd = numberAt(cost);
  if (usd === null || usd > LIMIT_USD || dollars(usd) < dollars(total?.cost_usd ?? 0)) return null;
  return { ...ofModels(models), cost_usd: usd };
}

/** If the latest total cannot be read, the earlier one is a lower bound. */
const withTotal = (acc: StreamState, total: SessionUsage | null): StreamState =>
  total ? { ...acc, total, hasUnknownCost: false } : { ...acc, hasUnknownCost: true };

function limit(acc: StreamState, about: JsonObject): StreamState {
  const ends = numberAt(about['resetsAt']);
  if (about['status'] !== 'rejected' || ends === null) return acc;
  return { ...acc, limitEnds: ends * 1000 };
}

function result(acc: StreamState, event: JsonObject): StreamState {
  const asked = objectAt(event['deferred_tool_use']);
  const since = event['model_usage_since_last_result'];
  return {
    ...withTotal(acc, readTotal(acc, event['total_cost_usd'], event['modelUsage'])),
    session: textAt(event['session_id']) ?? acc.session,
    sinceStart: since === undefined ? acc.sinceStart : plus(acc.sinceStart ?? NO_USAGE, ofModels(since)),
    result: {
      isError: event['is_error'] === true,
      subtype: textAt(event['subtype']) ?? '',
      text: textAt(event['result']) ?? arrayAt(event['errors']).map(String).join('; '),
      status: numberAt(event['api_error_status']),
    },
    deferred: event['stop_reason'] === 'tool_deferred' ? (asked['input'] ?? {}) : null,
    queued: numberAt(event['queued_turn_count']) ?? 0,
  };
}

/** Whether the last result has arrived. */
export const hasEnded = (acc: StreamState): boolean =>
  acc.result !== null && acc.tasks === 0 && acc.queued === 0;

export interface StreamSummary
  extends Pick<
    StreamState,
    'session' | 'result' | 'deferred' | 'refusal' | 'limitEnds' | 'longWaitMs' | 'failure'
  > {
  /** Cost of the session so far, including what it cost before it was resumed. */
  readonly session_cost_usd: number | null;
  /** This process's share of the session's usage; null if the stream does not contain it. */
  readonly usage: Usage | null;
}

export function streamSummary(acc: StreamState): StreamSummary {
  const share = acc.before && acc.total ? minus(acc.total, acc.before) : (acc.sinceStart ?? acc.messages);
  return {
    ...acc,
    session_cost_usd: acc.total ? dollars(acc.total.cost_usd) : null,
    usage: share && { ...usageOf(share), ...(acc.hasUnknownCost && { incomplete: true }) },
  };
}
