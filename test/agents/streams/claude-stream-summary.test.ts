import { describe, expect, test } from 'vitest';
import { configurationMismatch } from '../../../src/agents/runner/claude-configuration-mismatch.ts';
import {
  hasEnded,
  initialStream,
  readStreamLine,
  type StreamState,
  streamSummary,
} from '../../../src/agents/streams/claude-stream-summary.ts';

const fold = (...events: object[]): StreamState =>
  events.reduce<StreamState>((acc, event) => readStreamLine(acc, { ...event }), initialStream());

const models = (input: number, cost: number, costBasis = 'list') => ({
  'claude-haiku-5-5': {
    inputTokens: input,
    outputTokens: input / 10,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD: cost,
    costBasis,
  },
});
const usage = (request_id: string, input: number, cost: number) => ({
  type: 'control_response',
  response: {
    subtype: 'success',
    request_id,
    response: { session: { total_cost_usd: cost, model_usage: models(input, cost) } },
  },
});
const result = (input: number, cost: number, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  session_id: 's-1',
  total_cost_usd: cost,
  modelUsage: models(input, cost),
  queued_turn_count: 0,
  ...more,
});

describe("a launch's share of the usage", () => {
  test('equals the total in its result if the session began with the launch', () => {
    const account = streamSummary(fold(usage('usage-before', 0, 0), result(1000, 0.5)));
    expect(account.usage).toEqual({
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      cost_usd: 0.5,
    });
    expect(account.session_cost_usd).toBe(0.5);
  });

  test('excludes what the session cost before it was resumed', () => {
    const account = streamSummary(fold(usage('usage-before', 1000, 0.5), result(1800, 0.7)));
    expect(account.usage).toMatchObject({ input_tokens: 800, output_tokens: 80, cost_usd: 0.2 });
    expect(account.session_cost_usd).toBe(0.7);
  });

  test('is the latest reported usage if there is no result', () => {
    const account = streamSummary(
      fold(usage('usage-before', 0, 0), usage('usage-so-far', 1000, 0.5), usage('usage-so-far', 2000, 0.75)),
    );
    expect(account.usage).toMatchObject({ input_tokens: 2000, cost_usd: 0.75 });
    expect(account.result).toBeNull();
  });

  test('is marked as incomplete if the last message is not included in a total', () => {
    const begun = { type: 'stream_event', event: { type: 'message_start' } };
    const reckoned = [usage('usage-before', 0, 0), begun, usage('usage-so-far', 1000, 0.5)];
    expect(streamSummary(fold(...reckoned)).usage).not.toHaveProperty('incomplete');
    expect(streamSummary(fold(...reckoned, begun)).usage).toMatchObject({ cost_usd: 0.5, incomplete: true });
    expect(streamSummary(fold(...reckoned, begun, result(2000, 1))).usage).not.toHaveProperty('incomplete');
  });

  test.each([
    ['text', '12'],
    ['missing', undefined],
    ['null', null],
    ['negative', -5],
    ['absurd', 1e308],
    ['less than an earlier total', 0.4],
  ])('is a lower bound if the total in its result is %s', (_, total_cost_usd) => {
    const account = streamSummary(
      fold(usage('usage-before', 1000, 0.5), result(1800, 0, { total_cost_usd, queued_turn_count: 0 })),
    );
    expect(account.usage).toMatchObject({ cost_usd: 0, incomplete: true });
    expect(account.session_cost_usd).toBe(0.5);
  });

  test('is no longer a lower bound once a total can be read', () => {
    const unreadable = result(1000, 0, { total_cost_usd: 'unknown' });
    const account = streamSummary(fold(usage('usage-before', 0, 0), unreadable, result(2000, 1)));
    expect(account.usage).toMatchObject({ cost_usd: 1 });
    expect(account.usage).not.toHaveProperty('incomplete');
  });

  test("has no cost if a model's cost cannot be read and there is no total", () => {
    const model_usage_since_last_result = { m: { inputTokens: 10, outputTokens: 1e300, costUSD: '1' } };
    const account = streamSummary(
      fold(result(0, 0, { total_cost_usd: null, model_usage_since_last_result })),
    );
    expect(account.usage).toMatchObject({ input_tokens: 10, output_tokens: 0, cost_usd: null });
  });

  test('is zero for a resumed launch that did nothing', () => {
    expect(streamSummary(fold(usage('usage-before', 1000, 0.5))).usage).toMatchObject({
      input_tokens: 0,
      cost_usd: 0,
    });
  });

  test('is never negative, even if the CLI reports a lower total than before the launch', () => {
    expect(streamSummary(fold(usage('usage-before', 1000, 0.5), result(10, 0.1))).usage).toMatchObject({
      input_tokens: 0,
      cost_usd: 0,
    });
  });

  test('is the sum of the usage in the results if the CLI does not report usage on request', () => {
    const account = streamSummary(
      fold(
        result(1000, 0.5, { model_usage_since_last_result: models(100, 0.05) }),
        result(1200, 0.6, { model_usage_since_last_result: models(200, 0.1) }),
      ),
    );
    expect(account.usage).toMatchObject({ input_tokens: 300, cost_usd: 0.15 });
  });

  test('has tokens but no cost if there are only messages', () => {
    const delta = (output_tokens: number) => ({
      type: 'stream_event',
      event: { type: 'message_delta', usage: { input_tokens: 5, output_tokens } },
    });
    expect(streamSummary(fold(delta(10), delta(20))).usage).toMatchObject({
      input_tokens: 10,
      output_tokens: 30,
      cost_usd: null,
    });
  });

  test('has no cost if the CLI can only estimate the price', () => {
    const account = streamSummary(
      fold(usage('usage-before', 0, 0), result(10, 0.1, { modelUsage: models(10, 0.1, 'unknown') })),
    );
    expect(account.usage).toMatchObject({ input_tokens: 10, cost_usd: null });
  });

  test('is null for a stream without usage', () => {
    expect(streamSummary(initialStream())).toMatchObject({
      usage: null,
      session_cost_usd: null,
      session: null,
      result: null,
    });
  });
});

describe('a result', () => {
  test('contains the question if it was deferred', () => {
    const deferred_tool_use = { id: 't', name: 'mcp__dure__consult_human', input: { question: 'Which?' } };
    const account = streamSummary(fold(result(1, 0, { stop_reason: 'tool_deferred', deferred_tool_use })));
    expect(account.deferred).toEqual({ question: 'Which?' });
  });

  test('clears the question of an earlier deferred result', () => {
    const deferred = result(1, 0, {
      stop_reason: 'tool_deferred',
      deferred_tool_use: { input: { question: 'Which?' } },
    });
    expect(streamSummary(fold(deferred, result(2, 0))).deferred).toBeNull();
  });

  test('is not the last one while background tasks run or turns are queued', () => {
    const tasks = (n: number) => ({
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: Array(n).fill({}),
    });
    expect(hasEnded(fold(result(1, 0)))).toBe(true);
    expect(hasEnded(fold(tasks(1), result(1, 0)))).toBe(false);
    expect(hasEnded(fold(tasks(1), result(1, 0), tasks(0)))).toBe(true);
    expect(hasEnded(fold(result(1, 0, { queued_turn_count: 1 })))).toBe(false);
    expect(hasEnded(fold(result(1, 0, { queued_turn_count: 1 }), result(2, 0)))).toBe(true);
  });
});

describe('a failure', () => {
  const retry = (error_status: number | null, error: string, retry_delay_ms = 500) => ({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    error_status,
    error,
    retry_delay_ms,
  });

  test.each([401, 403])('is final as soon as the CLI retries a request that got the status %i', status => {
    expect(fold(retry(status, 'authentication_failed')).failure).toMatchObject({ kind: 'permission' });
  });

  test.each([429, 500, 529, null])(
    'is not final when the CLI retries a request that got the status %s',
    status => {
      expect(fold(retry(status, 'server_error'))).toMatchObject({ failure: null, longWaitMs: null });
    },
  );

  test('due to a long rate limit is distinguished from one due to a short limit', () => {
    expect(fold(retry(429, 'rate_limit', 3_600_000)).longWaitMs).toBe(3_600_000);
  });

  test('is cleared by a later response', () => {
    expect(fold(retry(429, 'rate_limit'), { type: 'assistant', message: {} }).refusal).toBeNull();
  });
});

describe('an agent whose configuration differs from what its command requested', () => {
  const init = (permissionMode: string, status = 'connected') =>
    fold({
      type: 'system',
      subtype: 'init',
      session_id: 's',
      permissionMode,
      mcp_servers: [{ name: 'dure', status }],
    });

  test('is detected by its permission mode', () => {
    expect(
      configurationMismatch(init('default'), ['claude', '--dangerously-skip-permissions']),
    ).toMatchObject({
      kind: 'permission',
    });
    expect(configurationMismatch(init('default'), ['claude', '--permission-mode', 'dontAsk'])).toMatchObject({
      kind: 'permission',
    });
    expect(
      configurationMismatch(init('bypassPermissions'), ['claude', '--dangerously-skip-permissions']),
    ).toBeNull();
    expect(configurationMismatch(init('dontAsk'), ['claude', '--permission-mode', 'dontAsk'])).toBeNull();
  });

  test('is detected if it cannot ask questions', () => {
    expect(configurationMismatch(init('dontAsk', 'failed'), ['--permission-mode', 'dontAsk'])).toMatchObject({
      kind: 'crash',
    });
  });
});

test('malformed events are ignored', () => {
  const odd = [
    { type: 'result', total_cost_usd: -1, modelUsage: [1], usage: null },
    { type: 'system', subtype: 'init', mcp_servers: 'none', session_id: 7 },
    { type: 'control_response', response: null },
    { type: 'stream_event', event: { type: 'message_delta', usage: 'much' } },
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 'soon' } },
    {},
  ];
  expect(() => streamSummary(fold(...odd))).not.toThrow();
});
