/**
 * Defines which answers a question accepts, whether they come from the CLI, the web UI, the API or a file. An answer is
 * the id of an option, an amount if the question is about money, or free text. An agent's question accepts any text.
 * For one of Dure's own questions, text selects the recommended option; without a recommendation, text is not an
 * answer.
 */
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';

/** The `decision` value for an answer that is only text. */
export const OTHER = 'OTHER';

export type GivenAnswer = Pick<Vcr, 'decision' | 'amount_usd'>;

/** Parses `20`, `$20` or `$2.50` into US dollars; returns null for anything else. */
export function dollarsIn(text: string): number | null {
  const digits = /^\$?\s*(\d{1,7}(?:\.\d{1,4})?)$/.exec(text.trim())?.[1];
  const amount = Number(digits ?? 0);
  return amount > 0 ? amount : null;
}

/** Like `dollarsIn`; also parses `raise 20`. */
export const amountOf = (decision: string): number | null =>
  dollarsIn(decision.trim().replace(/^raise\s+/i, ''));

const isFromDure = ({ created_by }: Crp): boolean => created_by === 'dure';
export const takesAmount = (crp: Crp): boolean => isFromDure(crp) && crp.type === 'budget';
export const takesTextOnly = (crp: Crp): boolean => !isFromDure(crp) || crp.recommendation !== undefined;

type Option = Crp['options'][number];

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

export const optionWithId = ({ options }: Crp, id: string): Option | undefined =>
  options.find(option => isSame(option.id, id));

export const idAndLabel = ({ id, label }: Option): string => `${id}: ${label}`;

/**
 * Returns the option that a text names by its id, its label or `id: label`; undefined if it names none or several.
 * Agents write the labels, so a label that is also an id or `OTHER` does not count.
 */
export function optionNamed(crp: Crp, text: string): Option | undefined {
  const byId = optionWithId(crp, text);
  if (byId || isSame(text, OTHER)) return byId;
  const named = crp.options.filter(one => isSame(one.label, text) || isSame(idAndLabel(one), text));
  return named.length === 1 ? named[0] : undefined;
}

/** Whether a file in `vcr/` is a valid answer to the question. */
export const isAnswerTo = (crp: Crp, { decision, amount_usd }: GivenAnswer): boolean =>
  takesTextOnly(crp) ||
  optionWithId(crp, decision) !== undefined ||
  (takesAmount(crp) && (amount_usd ?? amountOf(decision)) !== null);
