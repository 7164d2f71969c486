/**
 * A signal that fires with others, or when a time is up. In place of `AbortSignal.any` and `AbortSignal.timeout`: on
 * Node 20 the timer of a timeout that only a combined signal refers to is collected as garbage, and never fires.
 */

export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called in the end: lets go of the timer and of the other signals. */
  release(): void;
}

export const firstOf = (...signals: readonly AbortSignal[]): Deadline => linked(signals, null);

/** The reason of the time being up is a `TimeoutError`, as `AbortSignal.timeout` has it. */
export const within = (ms: number, ...signals: readonly AbortSignal[]): Deadline => linked(signals, ms);

function linked(signals: readonly AbortSignal[], ms: number | null): Deadline {
  const controller = new AbortController();
  const hear = () => controller.abort(signals.find(signal => signal.aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', hear, { once: true });
  if (signals.some(signal => signal.aborted)) hear();
  const timer =
    ms === null
      ? undefined
      : setTimeout(
          () => controller.abort(new DOMException(`The time of ${ms} ms is up.`, 'TimeoutError')),
          ms,
        );
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', hear);
    },
  };
}
