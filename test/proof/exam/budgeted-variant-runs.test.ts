import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { runsWithin } from '../../../src/proof/exam/variants/budgeted-variant-runs.ts';
import type { Variant } from '../../../src/proof/exam/variants/variant.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const endless = (_variant: unknown, signal: AbortSignal): Promise<TestCases> =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));

const runs = (budget_ms: number, run_ms: number | null) =>
  runsWithin({
    budget_ms,
    run_ms,
    errors: new Map(),
    jobs: 1,
    runVariant: endless,
    onHead: new Set(['AC-1: a']),
    known: new Map(),
    signal: new AbortController().signal,
  });

test.each([5000, null])(
  'a test run that is stopped because the time budget is used up has no result',
  async run_ms => {
    const cut = runs(20_000, run_ms);
    const seen = cut.resultOf({ of: 'head', edits: new Map() });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([await seen, cut.isOutOfTime]).toEqual([null, true]);
  },
);

test('a variant counts as noticed if its tests take far longer than those of the result', async () => {
  const slow = runs(60_000, 1000);
  const seen = slow.resultOf({ of: 'head', edits: new Map() });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([await seen, slow.isOutOfTime]).toEqual([{ failures: [], result: 'red' }, false]);
});

test('types are not checked in a variant, because they may be broken there', async () => {
  const ran: Variant[] = [];
  const one = runsWithin({
    budget_ms: 1000,
    run_ms: null,
    errors: new Map(),
    jobs: 1,
    runVariant: async variant => {
      ran.push(variant);
      return { tree: '', tests_tree: '', side: 'head', machine: 'pass', ended: true, cases: [] };
    },
    onHead: new Set(),
    known: new Map(),
    signal: new AbortController().signal,
  });
  const edits = new Map([
    ['a.ts', Buffer.from('a();\n')],
    ['a.d.ts', Buffer.from('b;\n')],
    ['a.js', null],
  ]);
  await one.resultOf({ of: 'head', edits });
  expect(
    Object.fromEntries([...ran[0]!.edits].map(([path, bytes]) => [path, bytes && String(bytes)])),
  ).toEqual({
    'a.ts': '// @ts-nocheck\na();\n',
    'a.d.ts': 'b;\n',
    'a.js': null,
  });
});
