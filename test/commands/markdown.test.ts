import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markdown } from '../../src/terminal/markdown.ts';
import { cells } from '../../src/terminal/text.ts';

const before = { NO_COLOR: process.env['NO_COLOR'], FORCE_COLOR: process.env['FORCE_COLOR'] };
const set = (changes: Record<string, string | undefined>) => {
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
};
afterEach(() => set(before));

const PACK = [
  '# Merge-readiness pack: run-20260131-142233',
  '',
  '- Run: `run-20260131-142233`, started 2026-01-31T14:22:33.000Z, finished 2026-01-31T14:24:04.374Z',
  '- **블로그 글에 태그를 붙일 때 여러 개를 어떻게 나누어 쓰게 하면 좋을까요?** (crp-001, asked by refiner)',
  '  comma: Commas between them',
  '',
  '| File | Added | Removed |',
  '|---|---:|---:|',
  '| `src/a/very/long/path/to/a/module/that/nobody/would/shorten.ts` | 12 | 3 |',
  '| `한글.md` | 1 | binary |',
  '',
  'Dure ran the tests itself on the sealed tree; they **passed** (exit code 0).',
  '',
  '> ## Review',
  '> Every requirement of the briefing is met, and **all tests** show that it is so.',
  '',
  '```sh',
  'git diff 0123456789ab 0123456789ab',
  '```',
].join('\n');

describe('Markdown on a terminal with colours', () => {
  beforeEach(() => set({ NO_COLOR: undefined, FORCE_COLOR: '1' }));

  it.each([60, 80, 140])('is nowhere wider than %i columns, and no word is cut', width => {
    const shown = stripVTControlCharacters(markdown(PACK, width));
    for (const line of shown.split('\n')) expect(cells(line), line).toBeLessThanOrEqual(width);
    for (const word of ['2026-01-31T14:24:04.374Z,', 'passed', '블로그', 'requirement'])
      expect(shown).toContain(word.replace(/,$/, ''));
  });

  it('has colours in the place of signs', () => {
    const shown = markdown(PACK, 80);
    expect(shown).toContain('\u001b[1mpassed\u001b[22m (exit code 0).');
    expect(shown).toContain('\u001b[36mrun-20260131-142233\u001b[39m, started');
    expect(stripVTControlCharacters(shown)).not.toMatch(/\*\*|`|^#|\|---/m);
  });

  it('puts tables in columns, numbers to the right, and loses nothing of a long name', () => {
    const shown = stripVTControlCharacters(markdown(PACK, 60)).split('\n');
    const head = shown.findIndex(line => line.startsWith('File'));
    expect(shown[head]).toMatch(/^File +Added {2}Removed$/);
    expect(shown[head + 1]).toMatch(/^src\/a\/\S+ +12 +3$/);
    expect(`${shown[head + 1]!.split(' ')[0]}${shown[head + 2]}`).toBe(
      'src/a/very/long/path/to/a/module/that/nobody/would/shorten.ts',
    );
    expect(shown[head + 3]).toMatch(/^한글\.md +1 +binary$/);
    expect(cells(shown[head + 3]!)).toBe(cells(shown[head]!));
  });

  it('hangs what follows below the first word of an item, and keeps quotes and code apart', () => {
    const shown = stripVTControlCharacters(markdown(PACK, 60));
    expect(shown).toMatch(/^- Run: .*\n {2}\S/m);
    expect(shown).toMatch(/^│ Review\n│ Every requirement .*\n│ \S/m);
    expect(shown).toContain('\n  git diff 0123456789ab 0123456789ab');
  });
});

describe('Markdown on a terminal without colours', () => {
  beforeEach(() => set({ NO_COLOR: '1' }));

  it('keeps its signs and is wrapped all the same', () => {
    const shown = markdown(PACK, 60);
    expect(shown).toMatch(/^# Merge-readiness pack: run-20260131-142233$/m);
    expect(shown.replace(/\s+/g, ' ')).toContain('they **passed** (exit code 0).');
    expect(shown).toContain('```sh\ngit diff');
    expect(shown).not.toContain('\u001b');
    for (const line of shown.split('\n')) expect(cells(line), line).toBeLessThanOrEqual(60);
  });
});
