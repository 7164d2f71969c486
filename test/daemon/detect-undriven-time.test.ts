import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { drivenTime } from '../../src/daemon/detect-undriven-time.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';

const START = Date.parse('2026-01-31T12:00:00.000Z');
const MINUTE = 60_000;
const YEARS = 3 * 365 * 24 * 60 * MINUTE;
const at = (ms: number): string => new Date(START + ms).toISOString();
const now = (): string => new Date().toISOString();
const event = (): RunEvent => ({ at: now(), type: 'run.continued' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'], now: START });
  onTestFinished(() => void vi.useRealTimers());
});

test('a run counts as driven if the last observation was nine minutes ago', () => {
  const driven = drivenTime(at(0));
  expect(driven.undrivenSince(at(9 * MINUTE))).toBeNull();
  driven.drivenAt(at(9 * MINUTE));
  expect(driven.undrivenSince(at(18 * MINUTE))).toBeNull();
});

test.each([11 * MINUTE, YEARS, -YEARS])(
  'a gap of %i ms counts as undriven until the next observation',
  gap => {
    const driven = drivenTime(at(0));
    driven.drivenAt(at(MINUTE));
    expect(driven.undrivenSince(at(MINUTE + gap))).toBe(at(MINUTE));
    expect(driven.undrivenSince(at(MINUTE + gap))).toBe(at(MINUTE));
    driven.drivenAt(at(MINUTE + gap));
    expect(driven.undrivenSince(at(MINUTE + gap))).toBeNull();
  },
);

test('time that the driver spends on a long operation counts as driven', async () => {
  const driven = drivenTime(at(0));
  const work = new Promise(done => setTimeout(done, 30 * MINUTE)).then(event);
  const recorded = driven.during(work);
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect((await recorded).at).toBe(at(30 * MINUTE));
  expect(driven.undrivenSince(now())).toBeNull();
});

test.each([5000, -5000])('a clock change of %i ms between two observations creates an undriven gap', step => {
  const driven = drivenTime(at(0));
  driven.drivenAt(now());
  vi.setSystemTime(START + step);
  expect(driven.undrivenSince(now())).toBe(at(0));
  driven.drivenAt(now());
  expect(driven.undrivenSince(now())).toBeNull();
});

test.each([YEARS, 5000, -5000, -YEARS])(
  'a clock change of %i ms during work creates an undriven gap',
  async step => {
    const driven = drivenTime(at(0));
    const work = new Promise(done => setTimeout(done, MINUTE)).then(event);
    const recorded = driven.during(work);
    vi.setSystemTime(START + step);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect((await recorded).at).toBe(at(MINUTE));
    expect(driven.undrivenSince(now())).toBe(at(MINUTE));
  },
);

test('`during` resolves to null if the work ends without an event', async () => {
  expect(await drivenTime(at(0)).during(Promise.resolve(null))).toBeNull();
});
