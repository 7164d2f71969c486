import { describe, expect, it } from 'vitest';
import type { StreamPiece } from '../../src/server/protocol.ts';
import { type Shown, withPieces } from '../../src/server/ui/shown.ts';

const NOTHING: Shown = { lines: [], launch: null, skipped: 0 };
const piece = (texts: readonly string[], more: Partial<StreamPiece> = {}): StreamPiece => ({
  stream: 1,
  launch: 3,
  lines: texts.map(text => ({ kind: 'text', text })),
  bytes: 1,
  offset: 1,
  skipped: 0,
  fresh: false,
  ...more,
});
const texts = (shown: Shown) => shown.lines.map(line => line.text);

describe('what is shown of an agent', () => {
  it('never grows beyond what a page can bear, and keeps the end', () => {
    let shown = NOTHING;
    for (let round = 0; round < 50; round += 1)
      shown = withPieces(shown, [piece(Array.from({ length: 100 }, (_, line) => `${round}.${line}`))]);
    expect(shown.lines.length).toBeLessThanOrEqual(800);
    expect(texts(shown).at(-1)).toBe('49.99');
    const long = withPieces(shown, [piece(['x'.repeat(150_000), 'y'.repeat(150_000)])]);
    expect(texts(long)).toEqual(['y'.repeat(150_000)]);
  });

  it('begins anew with another launch', () => {
    const before = withPieces(NOTHING, [piece(['old'], { skipped: 5 })]);
    const after = withPieces(before, [piece(['new'], { fresh: true, launch: 4 })]);
    expect(after).toMatchObject({ launch: 4, skipped: 0 });
    expect(texts(after)).toEqual(['new']);
  });

  it('counts what was left out', () => {
    expect(withPieces(NOTHING, [piece(['a'], { skipped: 10 }), piece(['b'], { skipped: 5 })]).skipped).toBe(
      15,
    );
  });

  it('keeps the key of a line that stays, so that it is not drawn again', () => {
    const before = withPieces(NOTHING, [piece(['a', 'b'])]);
    const after = withPieces(before, [piece(['c'])]);
    expect(after.lines.map(line => line.key)).toEqual([0, 1, 2]);
  });
});
