/**
 * Notices that nothing drove a run for a while: it had no driver, the machine slept, or its clock was set. Work of the
 * driver counts as long as it took by the monotonic clock, which neither sleep nor setting the clock moves.
 */
import type { RunEvent } from '../formats/events.ts';

/** Milliseconds between two observations after which the run was interrupted, even if no driver recorded it. */
const UNDRIVEN_MS = 600_000;
/** Milliseconds by which the clock of the machine was set, or that it slept, while this process drove the run. */
const STEP_MS = 2000;

export interface DrivenTime {
  /** When the run was last driven, if that is far from `now`; both ISO 8601. The same until `drivenAt` is called. */
  undrivenSince(now: string): string | null;
  drivenAt(now: string): void;
  /** Work of the driver. The event gets the time at which it would have ended if the clock had not been set meanwhile. */
  during<E extends RunEvent | null>(work: Promise<E>): Promise<E>;
}

/** When the monotonic clock was zero, by the other one. It changes only if that is set or the machine sleeps. */
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
