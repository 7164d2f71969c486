/** Time passes for the driver in the test process as often and as long as the test says. */
import { onTestFinished, vi } from 'vitest';

/**
 * Returns a function that advances the time, by less than the ten minutes after which a run counts as not driven. The
 * monotonic clock advances too, as it does while a driver works.
 */
export function clock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return ms => void vi.advanceTimersByTime(ms);
}
