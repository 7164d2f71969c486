import { expect, test } from 'vitest';
import { movesOf, placeAfter } from '../../../src/agents/rehearsal/select-moves.ts';
import type { Cassette, Move } from '../../../src/formats/cassette.ts';

const say = (text: string): Move => ({ say: text });
const cassette: Cassette = {
  title: 'test',
  parts: {
    builder: [[say('build 1')], [say('build 2')]],
    'builder:fix': [[say('fix')]],
    'verifier:generate': [[say('generate')]],
  },
};

test('the parts of a cassette are looked up by role and mode, then by role alone, and the last part is repeated', () => {
  const played = (role: string, mode: string, part: number) => movesOf(cassette, { role, mode, part });
  expect(played('builder', 'build', 1)).toEqual([say('build 1')]);
  expect(played('builder', 'build', 2)).toEqual([say('build 2')]);
  expect(played('builder', 'build', 9)).toEqual([say('build 2')]);
  expect(played('builder', 'fix', 3)).toEqual([say('fix')]);
  expect(played('verifier', 'generate', 1)).toEqual([say('generate')]);
  expect(played('verifier', 'analyse', 1)).toBeNull();
  expect(movesOf({ ...cassette, parts: { '*': [[say('any')]] } }, { role: 'x', mode: '', part: 1 })).toEqual([
    say('any'),
  ]);
});

test('a resumed session continues after its last question', () => {
  const moves: Move[] = [{ spend: 0.1 }, { ask: 1 }, { spend: 0.2 }, { ask: 2 }, { spend: 0.3 }];
  expect([0, 1, 2, 3].map(answered => placeAfter(moves, answered))).toEqual([0, 2, 4, 4]);
  expect(placeAfter([say('no question')], 1)).toBe(0);
});
