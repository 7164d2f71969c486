/**
 * Detects an agent that exceeds a limit of its launch: one that prints nothing for too long, or that costs more than its
 * budget. A backend may have no budget of its own, or may not enforce it.
 */
import type { Usage } from '../../formats/launch.ts';

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

export interface CostWatch {
  /** Receives the usage of the launch so far; null if it is not known. */
  onUsage(usage: Usage | null): void;
  stop(): void;
}

/** Milliseconds between requests for the cost: an agent may work for a long time without an event that triggers one. */
const ASK_MS = 5000;

/** Calls `onExceeded` when the known cost is above the budget; never if the budget is undefined. */
export function costWatch(
  budgetUsd: number | undefined,
  askForCost: () => void,
  onExceeded: () => void,
): CostWatch {
  if (budgetUsd === undefined) return { onUsage() {}, stop() {} };
  const timer = setInterval(askForCost, ASK_MS);
  return {
    onUsage(usage) {
      if ((usage?.cost_usd ?? 0) > budgetUsd) onExceeded();
    },
    stop: () => clearInterval(timer),
  };
}
