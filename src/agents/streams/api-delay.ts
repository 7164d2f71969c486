/**
 * Determines why an agent is waiting for its API, as a fold over the lines of its stream. This module is pure. The
 * reason has the same wording for all retries of one problem, so that it is reported once.
 */
import { type JsonObject, numberAt, objectAt, textAt } from '../../formats/schema/json-access.ts';

/** A first retry within this time (ms) is not a delay, because most of these retries succeed. */
const SHORT_MS = 3000;

/** Returns why requests are delayed after this event; null if they are not. */
export function delayAfter(before: string | null, event: JsonObject): string | null {
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'api_retry' ? refused(before, event) : before;
    case 'rate_limit_event':
      return objectAt(event['rate_limit_info'])['status'] === 'rejected'
        ? 'a usage limit was reached'
        : before;
    case 'stream_event':
    case 'user':
    case 'result':
      return null;
    case 'assistant':
      return textAt(event['error']) === null ? null : before;
    default:
      return before;
  }
}

function refused(before: string | null, event: JsonObject): string | null {
  const isShort =
    (numberAt(event['retry_delay_ms']) ?? 0) <= SHORT_MS && (numberAt(event['attempt']) ?? 1) < 2;
  if (isShort) return before;
  const status = numberAt(event['error_status']);
  const word = textAt(event['error']);
  const what =
    status === null
      ? 'no answer from the API'
      : `the API returned ${status}${word && word !== 'unknown' ? ` (${word})` : ''}`;
  const tries = numberAt(event['max_retries']);
  return `${what}; retrying the request${tries === null ? '' : `, at most ${tries} times`}`;
}
