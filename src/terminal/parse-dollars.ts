/** Parses an amount of money that a user typed as the value of a flag. */
import { dollarsIn } from '../core/policy/questions/allowed-answers.ts';
import { dureError } from '../errors.ts';

/** Parses `5`, `$5` or `2.50` into US dollars. Throws `E_BUDGET` for anything else. */
export function dollarsOf(text: string): number {
  const usd = dollarsIn(text);
  if (usd === null) throw dureError('E_BUDGET', { budget: text });
  return usd;
}
