import { describe, expect, it } from 'vitest';
import type { StreamPage } from '../../src/server/http-protocol.ts';
import {
  EMPTY_OUTPUT,
  isAtEnd,
  type OutputBuffer,
  queryAfter,
  withPage,
} from '../../src/server/ui/output-buffer.ts';

const page = (texts: readonly string[], more: Partial<StreamPage> = {}): StreamPage => ({
  role: 'builder',
  launch: 3,
  launches: [3],
  offset: 0,
  next: texts.length,
  size: texts.length,
  lines: texts.map(text => ({ kind: 'text', text })),
  ...more,
});
const texts = (shown: OutputBuffer) => shown.lines.map(line => line.text);
const shownOf = (pages: readonly StreamPage[]): OutputBuffer =>
  pages.reduce((shown, one, i) => withPage(shown, pages[i - 1] ?? null, one), EMPTY_OUTPUT);

describe('the output shown for an agent', () => {
  it('stays within its size limit and keeps the newest output', () => {
    const pages = Array.from({ length: 50 }, (_, round) =>
      page(
        Array.from({ length: 100 }, (_, line) => `${round}.${line}`),
        {
          offset: round * 100,
          next: (round + 1) * 100,
        },
      ),
    );
    const shown = shownOf(pages);
    expect(shown.lines.length).toBeLessThanOrEqual(800);
    expect(texts(shown).at(-1)).toBe('49.99');
    const long = withPage(shown, pages.at(-1)!, page(['x'.repeat(150_000), 'y'.repeat(150_000)]));
    expect(texts(long)).toEqual(['y'.repeat(150_000)]);
  });

  it('keeps fewer lines if they have many colours', () => {
    const styles = Array.from({ length: 500 }, (_, from) => ({
      from,
      to: from + 1,
      marks: [],
      color: '#cd3131',
    }));
    const coloured = { kind: 'text' as const, text: 'x'.repeat(500), styles };
    const shown = shownOf([{ ...page([]), lines: Array(800).fill(coloured) }]);
    expect(shown.lines.length).toBeGreaterThan(1);
    expect(shown.lines.length).toBeLessThan(10);
  });

  it('is reset when the launch changes', () => {
    const shown = shownOf([page(['old']), page(['new'], { launch: 4 })]);
    expect(shown).toMatchObject({ launch: 4, skipped: 0 });
    expect(texts(shown)).toEqual(['new']);
  });

  it('counts the omitted bytes', () => {
    const skipping = [page(['a']), page(['b'], { offset: 11, next: 12 }), page(['c'], { offset: 17 })];
    expect(shownOf(skipping).skipped).toBe(15);
    expect(shownOf([page(['the end'], { offset: 500 })]).skipped).toBe(0);
  });

  it('keeps the keys of remaining lines, so they are not rendered again', () => {
    const shown = shownOf([page(['a', 'b']), page(['c'], { offset: 2, next: 3 })]);
    expect(shown.lines.map(line => line.key)).toEqual([0, 1, 2]);
  });
});

describe('the next query', () => {
  const END = page([], { offset: 9, next: 9, size: 9 });

  it.each([
    ['the end of the newest launch at first', null, null, { tail: 64_000 }],
    ['the end of the chosen launch at first', null, 2, { launch: 2, tail: 64_000 }],
    [
      'the same as at first while no agent has printed',
      page([], { launch: null, launches: [] }),
      null,
      { tail: 64_000 },
    ],
    ['what follows', page(['a', 'b']), null, { launch: 3, offset: 2 }],
    [
      'the end, when the agent is far ahead',
      page(['a'], { size: 2_000_000 }),
      null,
      { launch: 3, tail: 128_000 },
    ],
    ['the next launch, from its beginning', { ...END, launches: [3, 5] }, null, { launch: 5, offset: 0 }],
    [
      'for the same launch until it has been read completely',
      page(['a'], { launches: [3, 5] }),
      null,
      { launch: 3, offset: 1 },
    ],
    [
      'for the chosen launch even if there is a newer one',
      { ...END, launches: [3, 5] },
      3,
      { launch: 3, offset: 9 },
    ],
  ] as const)('is %s', (_, last, chosen, query) => {
    expect(queryAfter(last as StreamPage | null, chosen)).toEqual(query);
  });

  it('is not sent at the end of the output until there is more output', () => {
    expect(isAtEnd(END, null)).toBe(true);
    expect(isAtEnd(page([], { launch: null, launches: [] }), null)).toBe(true);
    expect(isAtEnd(page(['a']), null)).toBe(false);
    expect(isAtEnd({ ...END, launches: [3, 5] }, null)).toBe(false);
    expect(isAtEnd({ ...END, launches: [3, 5] }, 3)).toBe(true);
  });
});
