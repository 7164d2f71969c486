/** Detects an agent that prints nothing for too long. */

export interface SilenceTimer {
  hear(): void;
  end(): void;
}

/** Calls `over` when there has been no output for `ms` milliseconds; never if `ms` is undefined. */
export function silenceTimer(ms: number | undefined, over: () => void): SilenceTimer {
  if (ms === undefined) return { hear() {}, end() {} };
  const timer = setTimeout(over, Math.min(ms, LONGEST_MS));
  return { hear: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** Longest delay of a timer in Node.js. */
const LONGEST_MS = 2 ** 31 - 1;
