import { describe, expect, test } from 'vitest';
import {
  failedToStart,
  outcomeOfLaunch,
  type ProcessEnd,
} from '../../../src/agents/runner/determine-launch-outcome.ts';
import {
  initialStream,
  type StreamResult,
  type StreamSummary,
  streamSummary,
} from '../../../src/agents/streams/claude-stream-summary.ts';

const account = (more: Partial<StreamSummary> = {}): StreamSummary => ({
  ...streamSummary(initialStream()),
  ...more,
});
const result = (more: Partial<StreamResult> = {}): StreamResult => ({
  isError: false,
  subtype: 'success',
  text: 'done',
  status: null,
  ...more,
});
const ended = (more: Partial<ProcessEnd> = {}) =>
  outcomeOfLaunch({
    stream: 'claude',
    code: 0,
    signal: null,
    output: '',
    summary: account(),
    stopped: null,
    isConfined: false,
    startFailure: null,
    now: Date.UTC(2026, 0, 31),
    ...more,
  });

describe('the outcome of an agent', () => {
  test('is a crash if it exits with 0 but without a result', () => {
    expect(ended()).toMatchObject({ outcome: 'error', kind: 'crash', message: 'exit code 0' });
  });

  test('is ok with a result and exit code 0', () => {
    expect(ended({ summary: account({ result: result() }) })).toMatchObject({
      outcome: 'ok',
      message: 'done',
    });
  });

  test('is not ok with a successful result but a non-zero exit code', () => {
    expect(ended({ code: 1, summary: account({ result: result() }) })).toMatchObject({
      outcome: 'error',
      kind: 'crash',
    });
  });

  test('is ok if it had finished before it was stopped', () => {
    expect(ended({ code: 143, stopped: 'asked', summary: account({ result: result() }) }).outcome).toBe('ok');
  });

  test('is stopped if it was stopped while working', () => {
    const interrupted = result({ isError: true, subtype: 'error_during_execution' });
    expect(ended({ code: 1, stopped: 'asked', summary: account({ result: interrupted }) })).toMatchObject({
      outcome: 'stopped',
      kind: null,
    });
    expect(ended({ code: null, signal: 'SIGKILL', stopped: 'asked' }).outcome).toBe('stopped');
  });

  test('is `error` if the runner stopped it because of a failure, and includes that failure', () => {
    const fault = { kind: 'permission', message: 'wrong mode' } as const;
    expect(ended({ code: 1, stopped: fault, summary: account({ result: result() }) })).toMatchObject({
      outcome: 'error',
      ...fault,
    });
  });

  test('is deferred if it asked a question', () => {
    expect(
      ended({ summary: account({ result: result({ text: '' }), deferred: { question: 'Which?' } }) }).outcome,
    ).toBe('deferred');
  });

  test('is `budget` if the budget is used up', () => {
    expect(
      ended({
        code: 1,
        summary: account({ result: result({ isError: true, subtype: 'error_max_budget_usd' }) }),
      }).outcome,
    ).toBe('budget');
  });

  test('is rate-limited, with the reset time if it is known', () => {
    const limited = result({ isError: true, status: 429, text: 'limit' });
    expect(
      ended({ code: 1, summary: account({ result: limited, limitEnds: Date.UTC(2026, 1, 1) }) }),
    ).toMatchObject({
      outcome: 'rate-limited',
      kind: null,
      retry_at: '2026-02-01T00:00:00.000Z',
    });
    expect(ended({ code: 1, summary: account({ result: limited }) }).retry_at).toBeNull();
    expect(
      ended({
        code: 1,
        stopped: { kind: 'resource', message: '' },
        summary: account({ longWaitMs: 60_000 }),
      }),
    ).toMatchObject({
      outcome: 'rate-limited',
      retry_at: '2026-01-31T00:01:00.000Z',
    });
  });
});

describe('the kind of failure', () => {
  const failed = (more: Partial<StreamResult>, refusal: string | null = null) =>
    ended({ code: 1, summary: account({ result: result({ isError: true, ...more }), refusal }) });

  test('is permission if credentials or permissions are missing', () => {
    expect(failed({ status: 403 }).kind).toBe('permission');
    expect(failed({ text: 'Not logged in · Please run /login' }).kind).toBe('permission');
    expect(failed({}, 'authentication_failed').kind).toBe('permission');
    const root =
      '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons';
    expect(ended({ code: 1, output: root }).kind).toBe('permission');
    expect(ended({ stream: 'text', code: 127, output: 'sh: agent: not found' }).kind).toBe('permission');
  });

  test('is resource if money, memory or disk space is used up', () => {
    expect(failed({ text: 'Credit balance is too low' }, 'billing_error').kind).toBe('resource');
    expect(ended({ code: 1, output: 'ENOSPC: no space left on device' }).kind).toBe('resource');
    expect(ended({ code: 134, output: 'FATAL ERROR: JavaScript heap out of memory' }).kind).toBe('resource');
  });

  test('is crash otherwise', () => {
    expect(failed({ status: 500 }).kind).toBe('crash');
    expect(ended({ code: null, signal: 'SIGKILL' })).toMatchObject({
      kind: 'crash',
      message: 'killed by SIGKILL',
    });
    expect(ended({ stream: 'text', code: 2, output: 'boom' })).toMatchObject({
      kind: 'crash',
      message: 'exit code 2: boom',
    });
  });
});

test('a CLI that is not installed is named in the failure', () => {
  const missing = failedToStart(Object.assign(new Error('spawn'), { code: 'ENOENT' }), 'claude');
  expect(missing.kind).toBe('permission');
  expect(missing.message).toMatch(/claude was not found on PATH/);
});
