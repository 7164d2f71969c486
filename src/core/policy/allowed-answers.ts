/**
 * What may be answered to a question, by command, page, API or file. Pure. An answer is an option by its id, an amount
 * where money is asked for, or words alone. To a question of an agent words are an answer of their own; to one of
 * Dure's own they take the recommended way, and where nothing is recommended they are no answer.
 */
import type { Crp, Vcr } from '../../formats/consultation.ts';

/** The decision of words alone. */
export const OTHER = 'OTHER';

export type GivenAnswer = Pick<Vcr, 'decision' | 'amount_usd'>;

/** The dollars in `20`, `$20`, `raise 20` or `raise $2.50`; null when it is something else. */
export function amountOf(decision: string): number | null {
  const digits = /^(?:raise\s+)?\$?\s*(\d{1,7}(?:\.\d{1,4})?)$/i.exec(decision.trim())?.[1];
  const amount = Number(digits ?? 0);
  return amount > 0 ? amount : null;
}

const isDures = ({ created_by }: Crp): boolean => created_by === 'dure';
export const takesAmount = (crp: Crp): boolean => isDures(crp) && crp.type === 'budget';
export const takesWordsAlone = (crp: Crp): boolean => !isDures(crp) || crp.recommendation !== undefined;

/** Whether a file that lies in `vcr/` answers the question at all. */
export const isAnswerTo = (crp: Crp, { decision, amount_usd }: GivenAnswer): boolean =>
  takesWordsAlone(crp) ||
  crp.options.some(({ id }) => id.toLowerCase() === decision.trim().toLowerCase()) ||
  (takesAmount(crp) && (amount_usd ?? amountOf(decision)) !== null);
