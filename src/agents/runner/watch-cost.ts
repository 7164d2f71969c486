/** Detects when an agent exceeds its budget. A backend may have no limit of its own, or may not enforce it. */
import type { Usage } from '../../formats/launch.ts';

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
