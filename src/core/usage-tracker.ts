/** Computes the cost of a run. An unknown cost does not count as zero. */
import type { EventOf } from '../formats/events/events.ts';
import type { Spend } from '../formats/spend.ts';
import type { RunState } from '../formats/state.ts';

/** What the launches of each role have cost, and which launches are still running. Parts of `RunState`. */
interface Costs {
  readonly usage: Readonly<Record<string, Pick<Spend, 'cost_usd' | 'complete'>>>;
  readonly open: readonly unknown[];
}

/** Adds costs. Rounds the sum to a millionth of a dollar, so that 0.1 + 0.2 is 0.3. */
export const sumUsd = (...costs: readonly number[]): number =>
  Math.round(costs.reduce((sum, cost) => sum + cost, 0) * 1e6) / 1e6;

/** Known cost in US dollars; a lower bound if a launch reported no cost. */
export const spentUsd = (s: Pick<Costs, 'usage'>): number =>
  sumUsd(...Object.values(s.usage).map(spend => spend.cost_usd));

/** Whether all launches that have ended reported their cost. A running one reports it only when it ends. */
export const areCostsReported = (s: Pick<Costs, 'usage'>): boolean =>
  Object.values(s.usage).every(spend => spend.complete);

export const isCostComplete = (s: Costs): boolean => s.open.length === 0 && areCostsReported(s);

/** How much the next launch may still cost in US dollars; null if there is no budget. */
export const budgetLeft = (s: RunState): number | null =>
  s.budget_usd === null ? null : Math.max(0, s.budget_usd - spentUsd(s));

const TOKENS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

/** Adds the usage of one more launch to a role's total. */
export function addUsage(before: Spend | undefined, usage: EventOf<'agent.exited'>['usage']): Spend {
  const tokens = TOKENS.map(name => [name, (before?.[name] ?? 0) + (usage?.[name] ?? 0)] as const);
  return {
    cost_usd: sumUsd(before?.cost_usd ?? 0, usage?.cost_usd ?? 0),
    complete: before?.complete !== false && typeof usage?.cost_usd === 'number' && !usage.incomplete,
    ...(Object.fromEntries(tokens) as Record<(typeof TOKENS)[number], number>),
  };
}
