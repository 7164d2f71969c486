import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { runsWithin } from '../../../src/proof/exam/budgeted-variant-runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const endless = (_variant: unknown, signal: AbortSignal): Promise<TestCases> =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));

const runs = (budget_ms: number, run_ms: number | null) =>
  runsWithin({
    budget_ms,
    run_ms,
    errors: new Map(),
    runVariant: endless,
    onHead: new Set(['AC-1: a']),
    known: new Map(),
    signal: new AbortController().signal,
  });

test.each([5000, null])('a run that is cut short because the budget ran out shows nothing', async run_ms => {
  const cut = runs(20_000, run_ms);
  const seen = cut.resultOf({ of: 'head', edits: new Map() });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([await seen, cut.isOutOfTime]).toEqual([null, true]);
});

test('a run that takes far longer than the result counts as noticed by a test', async () => {
  const slow = runs(60_000, 1000);
  const seen = slow.resultOf({ of: 'head', edits: new Map() });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([await seen, slow.isOutOfTime]).toEqual([{ failures: [], result: 'red' }, false]);
});
