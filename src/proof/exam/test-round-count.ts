/** Determines how many times the exam runs the tests on the result and on base. Pure. */
import type { ExamSettings } from '../../formats/exam/exam-output.ts';

export interface Rounds {
  /** Number of rounds on the result, including the proof, which is the first. */
  readonly head: number;
  readonly base: number;
}

/** The highest number of rounds that `dure prove` accepts. */
export const MOST_ROUNDS = 20;

const USUAL = 3;
/** Slower tests get only two rounds. */
const SLOW_MS = 60_000;

/**
 * Returns the configured number of rounds. If none is configured, returns two, or more if all of them fit into half of
 * the budget; if not even two fit, only one on the result. `suite_ms` is how long the tests take.
 */
export function roundsFor(suite_ms: number, { rounds, budget_s }: ExamSettings): Rounds {
  if (rounds > 0) return { head: rounds, base: rounds };
  if (budget_s === 0) return { head: 1, base: 2 };
  const wanted = suite_ms > SLOW_MS ? 2 : USUAL;
  const fitting = Math.floor((500 * budget_s) / (2 * suite_ms));
  const both = Math.min(wanted, Math.max(2, fitting));
  return { head: both === 2 && fitting < 2 ? 1 : both, base: both };
}
