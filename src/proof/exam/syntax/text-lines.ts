/** Finds the lines of a text. Pure. */

/** Adds the line break that the last line may lack. */
export const withFinalNewline = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`;

/** Lines from `from` up to `to`, counted from 0. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** The characters of a text from `from` up to `to`, by their offsets. */
export interface Offsets {
  readonly from: number;
  readonly to: number;
}

export const isIn = (line: number, { from, to }: Lines): boolean => line >= from && line < to;

/** The lines of a text, each with its line break. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The offset at which a line starts; for the line after the last one, the length of the text. */
export const offsetOf = (lines: readonly string[], line: number): number =>
  lines.slice(0, line).reduce((n, each) => n + each.length, 0);

/** The offsets at which these lines begin and end. */
export const offsetsOf = (lines: readonly string[], { from, to }: Lines): Offsets => ({
  from: offsetOf(lines, from),
  to: offsetOf(lines, to),
});

/** The line of an offset, counted from 0. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length - 1;

/** Like `lineAt`, but faster for many offsets in one text. */
export function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return offset => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export const rangeOf = ({ from, to }: Lines): number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

export const textIn = (text: string | null, { from, to }: Lines): string =>
  linesOf(text ?? '')
    .slice(from, to)
    .join('');
