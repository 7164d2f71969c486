/**
 * Separates printed text into plain text, as `plainText` returns it, and its colours and font styles (SGR sequences). A
 * style ends at the end of its line, because a page may start showing the output at any line. This module is pure.
 */
import { HIDDEN_TEXT } from '../../formats/text/plain-text.ts';
import type { TextStyle } from '../http-protocol.ts';

/** Styles beyond this number are ignored, so that a line stays cheap to render. */
const MAX_STYLES = 500;

type Mark = TextStyle['marks'][number] | 'inverse';
interface TextState {
  readonly marks: readonly Mark[];
  readonly color?: string | undefined;
  readonly background?: string | undefined;
}
const PLAIN: TextState = { marks: [] };

const HIDDEN_OR_LINE_END = new RegExp(`${HIDDEN_TEXT.source}|\n`, 'g');
const SGR = /^(?:\x1b\[|\x9b)([\d:;]*)m$/;

export function styledText(printed: string): { text: string; styles: TextStyle[] } {
  const styles: TextStyle[] = [];
  let text = '';
  let read = 0;
  let state = PLAIN;
  const add = (end: number) => {
    const from = text.length;
    text += printed.slice(read, end);
    if (state !== PLAIN && text.length > from && styles.length < MAX_STYLES)
      styles.push({ from, to: text.length, ...styleOf(state) });
  };
  for (const { 0: found, index } of printed.matchAll(HIDDEN_OR_LINE_END)) {
    add(index);
    read = index + found.length;
    const parameters = SGR.exec(found)?.[1];
    if (parameters !== undefined) state = applyParameters(state, parameters);
    if (found !== '\n') continue;
    text += found;
    state = PLAIN;
  }
  add(printed.length);
  return { text, styles };
}

/** Swaps the colours of inverse text. If it has no text colour, its background becomes the grey of the palette. */
function styleOf({ marks, color, background }: TextState): Omit<TextStyle, 'from' | 'to'> {
  const [front, back] = marks.includes('inverse') ? [background, color ?? PALETTE[7]] : [color, background];
  return {
    marks: marks.filter(mark => mark !== 'inverse'),
    ...(front !== undefined && { color: front }),
    ...(back !== undefined && { background: back }),
  };
}

const ON: Partial<Record<number, Mark>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  21: 'underline',
};
const OFF: Partial<Record<number, readonly Mark[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
};

/** `parameters`: numbers separated by semicolons. Parts of one parameter may be separated by colons. */
function applyParameters(before: TextState, parameters: string): TextState {
  const all = parameters.split(';');
  let state = before;
  for (let i = 0; i < all.length; i += 1) {
    const [code = 0, ...parts] = all[i]!.split(':').map(Number);
    if (code !== 38 && code !== 48 && code !== 58) {
      state = applyCode(state, code, parts[0]);
      continue;
    }
    const given = parts.length > 0 ? parts : all.slice(i + 1, i + 5).map(Number);
    if (parts.length === 0) i += given[0] === 2 ? 4 : 2;
    const colour = extendedColour(given);
    if (code === 38) state = { ...state, color: colour };
    if (code === 48) state = { ...state, background: colour };
  }
  return state.marks.length === 0 && !state.color && !state.background ? PLAIN : state;
}

function applyCode(state: TextState, code: number, part: number | undefined): TextState {
  if (code === 0) return PLAIN;
  const on = ON[code];
  const off = code === 4 && part === 0 ? OFF[24] : OFF[code];
  if (off) return { ...state, marks: state.marks.filter(mark => !off.includes(mark)) };
  if (on) return state.marks.includes(on) ? state : { ...state, marks: [...state.marks, on] };
  if (code >= 30 && code <= 37) return { ...state, color: PALETTE[code - 30] };
  if (code >= 90 && code <= 97) return { ...state, color: PALETTE[code - 82] };
  if (code >= 40 && code <= 47) return { ...state, background: PALETTE[code - 40] };
  if (code >= 100 && code <= 107) return { ...state, background: PALETTE[code - 92] };
  if (code === 39) return { ...state, color: undefined };
  if (code === 49) return { ...state, background: undefined };
  return state;
}

/** `5, index` or `2, red, green, blue`; with colons, a colour space may precede red. */
function extendedColour([kind, ...values]: readonly number[]): string | undefined {
  if (kind === 5) return indexedColour(values[0] ?? 0);
  return kind === 2 ? hex(values.length > 3 ? values.slice(1, 4) : values) : undefined;
}

const PALETTE =
  '#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff'.split(
    ' ',
  );
const CUBE = [0, 95, 135, 175, 215, 255];

/** The 256 colours of xterm: the palette, a cube with six levels of each channel, and 24 shades of grey. */
function indexedColour(index: number): string | undefined {
  if (index < 16) return PALETTE[index];
  const place = index - 16;
  if (index > 255) return undefined;
  return index < 232
    ? hex([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level => CUBE[level] ?? 0))
    : hex(Array(3).fill(8 + 10 * (index - 232)));
}

/** Undefined unless all three channels are bytes. */
const hex = (channels: readonly number[]): string | undefined =>
  channels.length === 3 && channels.every(channel => channel >= 0 && channel <= 255)
    ? `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
    : undefined;
