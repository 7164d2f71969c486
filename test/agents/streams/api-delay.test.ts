import { expect, test } from 'vitest';
import { delayAfter } from '../../../src/agents/streams/api-delay.ts';
import type { JsonObject } from '../../../src/formats/schema/json-access.ts';

const retry = (attempt: number, status: number | null, error: string, delay = 600): JsonObject => ({
  type: 'system',
  subtype: 'api_retry',
  attempt,
  max_retries: 10,
  retry_delay_ms: delay,
  error_status: status,
  error,
});
const after = (...events: JsonObject[]) => events.reduce<string | null>(delayAfter, null);

test('a single immediate retry does not count as a delay', () => {
  expect(after(retry(1, 529, 'overloaded'))).toBeNull();
});

test.each([
  [429, 'rate_limit', 'the API returned 429 (rate_limit); retrying the request, at most 10 times'],
  [500, 'server_error', 'the API returned 500 (server_error); retrying the request, at most 10 times'],
  [null, 'unknown', 'no answer from the API; retrying the request, at most 10 times'],
])(
  'a second retry (status %s) counts as a delay, and later retries do not change its text',
  (status, error, said) => {
    expect(after(retry(1, status, error), retry(2, status, error))).toBe(said);
    expect(after(retry(1, status, error), retry(2, status, error), retry(9, status, error, 30_000))).toBe(
      said,
    );
  },
);

test('a first retry after a long wait counts as a delay', () => {
  expect(after(retry(1, 429, 'rate_limit', 20_000))).toContain('429');
});

test('a response ends the delay; events unrelated to the API do not', () => {
  const delayed = [retry(1, 500, 'unknown'), retry(2, 500, 'unknown')];
  expect(after(...delayed, { type: 'system', subtype: 'status' }, { type: 'odd' })).not.toBeNull();
  expect(after(...delayed, { type: 'stream_event', event: { type: 'message_start' } })).toBeNull();
  expect(after(...delayed, { type: 'result' })).toBeNull();
});
