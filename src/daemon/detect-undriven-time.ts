/**
 * Detects that nothing drove a run for a while: it had no driver, the machine slept, or the machine's clock was set.
 * The duration of the driver's own work is measured with the monotonic clock, which is affected neither by sleep nor by
 * setting the clock.
 */
import type { RunEvent } from '../formats/events/events.ts';

/**
 * If two observations are further apart than this (ms), the run was interrupted, even if no driver recorded the
 * interruption.
 */
const UNDRIVEN_MS = 600_000;
/**
 * If the wall clock and the monotonic clock diverge by more than this (ms), the wall clock was set or the machine slept
 * while this process drove the run.
 */
const STEP_MS = 2000;

export interface DrivenTime {
  /**
   * When the run was last driven (ISO 8601), if that is far from `now`; otherwise null. The result stays the same until
   * `drivenAt` is called.
   */
  undrivenSince(now: string): string | null;
  drivenAt(now: string): void;
  /**
   * Waits for the driver's work and returns its event, with the time at which the work would have ended if the clock
   * had not been set in the meantime.
   */
  during<E extends RunEvent | null>(work: Promise<E>): Promise<E>;
}

/**
 * The wall-clock time at which the monotonic clock was zero. It changes only if the wall clock is set or the
 * machine sleeps.
 */
const monotonicEpoch = (): number => Date.now() - performance.now();

/** `last` is when the run was last driven, ISO 8601. */
export function drivenTime(last: string): DrivenTime {
  let driven = Date.parse(last);
  let epoch = monotonicEpoch();
  const since = (now: string): string | null =>
    Math.abs(Date.parse(now) - driven) > UNDRIVEN_MS || Math.abs(monotonicEpoch() - epoch) > STEP_MS
      ? new Date(driven).toISOString()
      : null;
  return {
    undrivenSince: since,
    drivenAt(now) {
      driven = Date.parse(now);
      epoch = monotonicEpoch();
    },
    async during(work) {
      const began = performance.now();
      const event = await work;
      driven += performance.now() - began;
      const at = event && since(event.at);
      return at === null ? event : { ...event, at };
    },
  };
}
