/** Selects the moves that a launch plays, and the move it starts with. This module is pure. */
import type { Cassette, Move } from '../../formats/cassette.ts';

export interface MoveSelection {
  readonly role: string;
  /** For example `generate` or `analyse` for the Verifier, `fix` for the Builder. */
  readonly mode: string;
  /** Which part to play: 1 at the first launch. If the cassette has fewer parts, its last one is played again. */
  readonly part: number;
}

/**
 * Returns the moves for a launch: those for `role:mode`, otherwise for `role`, otherwise for `*`; null if the cassette
 * has none.
 */
export function movesOf(cassette: Cassette, { role, mode, part }: MoveSelection): readonly Move[] | null {
  const parts = [`${role}:${mode}`, role, '*'].map(key => cassette.parts[key]).find(p => p !== undefined);
  return parts?.[Math.min(part, parts.length) - 1] ?? null;
}

/** Returns the index of the move after the `answered`-th question; 0 if none was answered. */
export function placeAfter(moves: readonly Move[], answered: number): number {
  const asks = moves.flatMap((move, i) => ('ask' in move ? [i] : []));
  const last = asks[Math.min(answered, asks.length) - 1];
  return last === undefined ? 0 : last + 1;
}
