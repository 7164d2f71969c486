import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wakeSignals } from '../../src/core/run/wake-signals.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dure-wakes-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Counts observations; `watched` is a folder that cannot be watched, as if the system had no watches left. */
function looksAt(watched: string, resting: () => boolean) {
  const leaving = new AbortController();
  const hints = wakeSignals({ folders: [watched], everyMs: 1000, isIdle: resting, signal: leaving.signal });
  let looks = 0;
  const done = (async () => {
    for await (const _ of hints) looks += 1;
  })();
  return {
    get looks() {
      return looks;
    },
    async end() {
      leaving.abort();
      await done;
    },
  };
}

test('an active run is observed every second', async () => {
  const seen = looksAt(join(folder, 'missing'), () => false);
  await vi.advanceTimersByTimeAsync(10_500);
  expect(seen.looks).toBe(11);
  await seen.end();
});

test('an idle run is observed when one of its folders has changed, even without a file event', async () => {
  const later = join(folder, 'later');
  const seen = looksAt(later, () => true);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(seen.looks).toBe(1);
  mkdirSync(later);
  await vi.advanceTimersByTimeAsync(20_500);
  expect(seen.looks).toBe(2);
  writeFileSync(join(later, 'vcr-001.json'), '{}');
  utimesSync(later, 1, 1);
  await vi.advanceTimersByTimeAsync(20_500);
  expect(seen.looks).toBe(3);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(seen.looks).toBe(3);
  await seen.end();
});

test('an idle run is observed from time to time even if nothing has changed', async () => {
  const seen = looksAt(folder, () => true);
  await vi.advanceTimersByTimeAsync(660_000);
  expect(seen.looks).toBe(2);
  await seen.end();
});

test('a run is observed every second again once it becomes active', async () => {
  let resting = true;
  const seen = looksAt(folder, () => resting);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.looks).toBe(1);
  resting = false;
  await vi.advanceTimersByTimeAsync(40_500);
  expect(seen.looks).toBeGreaterThan(10);
  await seen.end();
});
