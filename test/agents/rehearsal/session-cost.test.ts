import { expect, test } from 'vitest';
import { spentBefore } from '../../../src/agents/rehearsal/session-cost.ts';
import type { Move } from '../../../src/formats/cassette.ts';

test('the cost of a session is the sum of the costs of the moves played so far', () => {
  const moves: Move[] = [{ spend: 0.1 }, { ask: 1 }, { spend: 0.2 }, { ask: 2 }, { spend: 0.3 }];
  expect([0, 1, 2, 3, 5].map(place => spentBefore(moves, place))).toEqual([0, 0.1, 0.1, 0.3, 0.6]);
});
