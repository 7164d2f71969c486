/** The colours and font styles of printed text. */

import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/formats/text/plain-text.ts';
import { styledText } from '../../src/server/runs/styled-text.ts';
import fc from '../helpers/fast-check-seed.ts';

/** Each styled part with its style; plain parts are left out. */
const parts = (printed: string) => {
  const { text, styles } = styledText(printed);
  return styles.map(({ from, to, ...style }) => ({ part: text.slice(from, to), ...style }));
};
const RED = '#cd3131';

describe('printed text', () => {
  it.each([
    ['a colour of the palette', '\x1b[31mred\x1b[39m no', [{ part: 'red', marks: [], color: RED }]],
    ['a bright colour', '\x1b[91mred\x1b[m no', [{ part: 'red', marks: [], color: '#f14c4c' }]],
    [
      'a background',
      '\x1b[41mx\x1b[49m \x1b[107my',
      [
        { part: 'x', marks: [], background: RED },
        { part: 'y', marks: [], background: '#ffffff' },
      ],
    ],
    [
      'the 256 colours',
      '\x1b[38;5;9ma\x1b[38;5;208mb\x1b[48;5;244mc',
      [
        { part: 'a', marks: [], color: '#f14c4c' },
        { part: 'b', marks: [], color: '#ff8700' },
        { part: 'c', marks: [], color: '#ff8700', background: '#808080' },
      ],
    ],
    ['24-bit colours', '\x1b[38;2;1;2;255;1ma', [{ part: 'a', marks: ['bold'], color: '#0102ff' }]],
    [
      'parameters with colons',
      '\x1b[38:2::1:2:3;48:5:9ma\x1b[38:2:4:5:6mb',
      [
        { part: 'a', marks: [], color: '#010203', background: '#f14c4c' },
        { part: 'b', marks: [], color: '#040506', background: '#f14c4c' },
      ],
    ],
    [
      'bold, dim, italic and underlined',
      '\x1b[1;2;3ma\x1b[22mb\x1b[23;4mc\x1b[24md',
      [
        { part: 'a', marks: ['bold', 'dim', 'italic'] },
        { part: 'b', marks: ['italic'] },
        { part: 'c', marks: ['underline'] },
      ],
    ],
    ['a kind of underline', '\x1b[4:3ma\x1b[4:0mb', [{ part: 'a', marks: ['underline'] }]],
    [
      'inverse text',
      '\x1b[7ma\x1b[31mb\x1b[42mc\x1b[27md',
      [
        { part: 'a', marks: [], background: '#e5e5e5' },
        { part: 'b', marks: [], background: RED },
        { part: 'c', marks: [], color: '#0dbc79', background: RED },
        { part: 'd', marks: [], color: RED, background: '#0dbc79' },
      ],
    ],
    ['no style after the end of its line', '\x1b[31ma\nb', [{ part: 'a', marks: [], color: RED }]],
    [
      'a style around a removed sequence',
      '\x1b[31ma\x1b[2Kb',
      [
        { part: 'a', marks: [], color: RED },
        { part: 'b', marks: [], color: RED },
      ],
    ],
    ['no invalid colour', '\x1b[38;5;256ma\x1b[38;2;256;0;0mb\x1b[48;2;1mc\x1b[38md', []],
    ['no colour from other sequences', '\x1b[>4;31ma\x1b[?31mb\x1b[31 qc', []],
    ['hidden and blinking text as plain text', '\x1b[8ma\x1b[5mb', []],
  ])('has %s', (_what, printed, expected) => {
    expect(parts(printed)).toEqual(expected);
  });

  it('has the same text with and without styles, and style ranges that are ordered and in bounds', () => {
    const unit = fc.constantFrom(
      ...'\x1b[]0148;:m?P\\\x07\x9b\x9d\u202e\n\tab',
      '\x1b[31m',
      '\x1b[1;48;5;',
      '\x1b[38;2;1;2;3m',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), printed => {
        const { text, styles } = styledText(printed);
        expect(text).toBe(plainText(printed));
        let end = 0;
        for (const { from, to, color = '#000000', background = '#000000' } of styles) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          expect(`${color}${background}`).toMatch(/^(#[\da-f]{6}){2}$/);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('has a bounded number of styles', () => {
    const { text, styles } = styledText('\x1b[31ma\x1b[32mb'.repeat(10_000));
    expect(text).toHaveLength(20_000);
    expect(styles).toHaveLength(500);
  });
});
