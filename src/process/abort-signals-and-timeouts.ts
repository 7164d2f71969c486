/**
 * Combines signals into one that also fires after a time limit. Used instead of `AbortSignal.any` and
 * `AbortSignal.timeout`: in Node 20, a timeout signal that is referenced only by a combined signal is
 * garbage-collected and never fires. Also waits for a promise with a time limit.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Call when done: clears the timer and the listeners. */
  release(): void;
}

export const anySignal = (...signals: readonly AbortSignal[]): Deadline => linked(signals, null);

/** If the time runs out, the reason is a `TimeoutError`, as with `AbortSignal.timeout`. */
export const timeLimit = (ms: number, ...signals: readonly AbortSignal[]): Deadline => linked(signals, ms);

function linked(signals: readonly AbortSignal[], ms: number | null): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort(signals.find(signal => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(signal => signal.aborted)) abort();
  const timer =
    ms === null
      ? undefined
      : setTimeout(() => controller.abort(new DOMException(`Timed out after ${ms} ms.`, 'TimeoutError')), ms);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}

/** Waits for a promise, but no longer than `ms`. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  await Promise.race([done, sleep(ms, null, { signal: settled.signal }).catch(() => null)]);
  settled.abort();
}
