/** The cost of a rehearsal session, in US dollars. This module is pure. */
import type { Move } from '../../formats/cassette.ts';

/** Adds up what the moves before `place` cost, which is what the session has cost at that point. */
export const spentBefore = (moves: readonly Move[], place: number): number =>
  cents(moves.slice(0, place).reduce((sum, move) => sum + ('spend' in move ? move.spend : 0), 0));

/** Rounds off floating-point errors. */
export const cents = (dollars: number): number => Number(dollars.toFixed(6));
