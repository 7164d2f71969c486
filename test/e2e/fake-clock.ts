/** Lets a test advance the time for a driver in the test process. */
import { onTestFinished, vi } from 'vitest';

/**
 * Returns a function that advances the time. Each call must advance it by less than the ten minutes after
 * which a run counts as not driven. The monotonic clock advances too, as it does while a driver works.
 */
export function clock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return ms => void vi.advanceTimersByTime(ms);
}
