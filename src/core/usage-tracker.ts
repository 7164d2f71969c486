/** What a run has cost, as a fold over its events. Unknown is unknown, not zero. */
import type { RunState } from '../formats/state.ts';

/** US dollars known to be spent; a lower bound when some launch left no cost behind. */
export const spentUsd = (s: RunState): number =>
  Object.values(s.usage).reduce((sum, spend) => sum + spend.cost_usd, 0);

export const isCostComplete = (s: RunState): boolean =>
  s.open.length === 0 && Object.values(s.usage).every(spend => spend.complete);

/** What the next launch may still cost, or null without a budget. */
export const budgetLeft = (s: RunState): number | null =>
  s.budget_usd === null ? null : Math.max(0, s.budget_usd - spentUsd(s));
