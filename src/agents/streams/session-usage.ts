/**
 * Reads the usage that the CLI reports for a Claude Code session. It consists of totals, which include the usage before
 * the session was resumed, so the share of one process is the difference between two totals. Prices are never computed
 * here, because they depend on tiers that only the CLI knows.
 */

import type { Usage } from '../../formats/launch.ts';
import { type JsonObject, numberAt, objectAt } from '../../formats/schema/json-access.ts';

export interface SessionUsage extends Readonly<Omit<Usage, 'cost_usd' | 'incomplete'>> {
  readonly cost_usd: number;
  /** False if the cost of a model is missing or, for lack of a list price, only an estimate. */
  readonly priced: boolean;
}

/** Token counts, with the names that the CLI uses for them in the usage of a model. */
const TOKENS = {
  input_tokens: 'inputTokens',
  output_tokens: 'outputTokens',
  cache_read_input_tokens: 'cacheReadInputTokens',
  cache_creation_input_tokens: 'cacheCreationInputTokens',
} as const;
type Token = keyof typeof TOKENS;

const tokens = (countOf: (name: Token) => number) =>
  Object.fromEntries((Object.keys(TOKENS) as Token[]).map(name => [name, countOf(name)])) as Record<
    Token,
    number
  >;

export const NO_USAGE: SessionUsage = { ...tokens(() => 0), cost_usd: 0, priced: true };

function count(value: unknown): number {
  const tokens = Math.trunc(numberAt(value) ?? 0);
  return Number.isSafeInteger(tokens) ? tokens : 0;
}

/** Reads the `modelUsage` of a result, or the `model_usage` of a `get_usage` answer. */
export const ofModels = (models: unknown): SessionUsage =>
  Object.values(objectAt(models))
    .map(objectAt)
    .map(model => ({
      ...tokens(name => count(model[TOKENS[name]])),
      cost_usd: numberAt(model['costUSD']) ?? 0,
      priced: model['costBasis'] !== 'unknown' && numberAt(model['costUSD']) !== null,
    }))
    .reduce(plus, NO_USAGE);

/** Reads the `usage` of a message, which contains token counts but no price. */
export const ofMessage = (usage: JsonObject): SessionUsage => ({
  ...tokens(name => count(usage[name])),
  cost_usd: 0,
  priced: false,
});

export function plus(a: SessionUsage, b: SessionUsage): SessionUsage {
  return combine(a, b, (x, y) => x + y);
}

/** Subtracts, but never below zero: a killed CLI may have lost part of what was in the previous total. */
export function minus(a: SessionUsage, b: SessionUsage): SessionUsage {
  return combine(a, b, (x, y) => Math.max(0, x - y));
}

const combine = (a: SessionUsage, b: SessionUsage, by: (x: number, y: number) => number): SessionUsage => ({
  ...tokens(name => by(a[name], b[name])),
  cost_usd: by(a.cost_usd, b.cost_usd),
  priced: a.priced && b.priced,
});

/** Rounds off floating-point errors, which are smaller than a hundred-millionth of a cent. */
export const dollars = (value: number): number => Math.round(value * 1e10) / 1e10;

export const usageOf = ({ priced, cost_usd, ...counts }: SessionUsage): Usage => ({
  ...counts,
  cost_usd: priced ? dollars(cost_usd) : null,
});
