/**
 * What a session of Claude Code has used, by its own reckoning. The numbers of the CLI are totals of a session with
 * all that was resumed in it: the share of one process is the difference between two of them. Prices are never
 * computed here, for they depend on tiers that only the CLI knows.
 */
import type { Usage } from '../../formats/launch.ts';
import { amount, type Loose, part } from './loose.ts';

export interface Spend {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cost_usd: number;
  /** False when the CLI has no list price for one of the models and guesses. */
  readonly priced: boolean;
}

export const NO_SPEND: Spend = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cost_usd: 0,
  priced: true,
};

const count = (value: unknown): number => Math.trunc(amount(value) ?? 0);

/** `modelUsage` of a result, or `model_usage` of a `get_usage` answer. */
export const ofModels = (models: unknown): Spend =>
  Object.values(part(models))
    .map(part)
    .map(model => ({
      input_tokens: count(model['inputTokens']),
      output_tokens: count(model['outputTokens']),
      cache_read_input_tokens: count(model['cacheReadInputTokens']),
      cache_creation_input_tokens: count(model['cacheCreationInputTokens']),
      cost_usd: amount(model['costUSD']) ?? 0,
      priced: model['costBasis'] !== 'unknown',
    }))
    .reduce(plus, NO_SPEND);

/** `usage` of one message: tokens, and no price. */
export const ofMessage = (usage: Loose): Spend => ({
  input_tokens: count(usage['input_tokens']),
  output_tokens: count(usage['output_tokens']),
  cache_read_input_tokens: count(usage['cache_read_input_tokens']),
  cache_creation_input_tokens: count(usage['cache_creation_input_tokens']),
  cost_usd: 0,
  priced: false,
});

export function plus(a: Spend, b: Spend): Spend {
  return combine(a, b, (x, y) => x + y);
}

/** Never below zero: a CLI that was killed may have forgotten what it knew when the session was last counted. */
export function minus(a: Spend, b: Spend): Spend {
  return combine(a, b, (x, y) => Math.max(0, x - y));
}

function combine(a: Spend, b: Spend, by: (x: number, y: number) => number): Spend {
  return {
    input_tokens: by(a.input_tokens, b.input_tokens),
    output_tokens: by(a.output_tokens, b.output_tokens),
    cache_read_input_tokens: by(a.cache_read_input_tokens, b.cache_read_input_tokens),
    cache_creation_input_tokens: by(a.cache_creation_input_tokens, b.cache_creation_input_tokens),
    cost_usd: by(a.cost_usd, b.cost_usd),
    priced: a.priced && b.priced,
  };
}

/** Sums of binary fractions are off by dust; a hundred-millionth of a cent is none of anyone's. */
export const dollars = (value: number): number => Math.round(value * 1e10) / 1e10;

export const usageOf = ({ priced, cost_usd, ...tokens }: Spend): Usage => ({
  ...tokens,
  cost_usd: priced ? dollars(cost_usd) : null,
});
