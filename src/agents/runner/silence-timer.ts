/** Detects an agent that prints nothing for too long. */

export interface SilenceTimer {
  reset(): void;
  stop(): void;
}

/** Calls `onSilence` when there has been no output for `ms` milliseconds; never if `ms` is undefined. */
export function silenceTimer(ms: number | undefined, onSilence: () => void): SilenceTimer {
  if (ms === undefined) return { reset() {}, stop() {} };
  const timer = setTimeout(onSilence, Math.min(ms, MAX_TIMEOUT_MS));
  return { reset: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

/** Longest delay of a timer in Node.js. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
