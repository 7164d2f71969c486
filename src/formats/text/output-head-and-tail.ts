/**
 * Keeps the first and the last lines of a command's output, to show why it failed: npm and compilers name the
 * cause first, test runners last. Only whole lines are kept, and long lines are shortened, so that endless
 * output does not exhaust memory.
 */
import { plainText } from './plain-text.ts';

/** The first and last lines of an output, without control characters or leading and trailing blank lines. */
export interface OutputEnds {
  readonly first: string;
  /** The number of lines between `first` and `last`. If it is 0, `first` and `last` are the whole output. */
  readonly leftOut: number;
  readonly last: string;
}

export interface Ends {
  add(text: string): void;
  ends(): OutputEnds;
}

/** Maximum number of characters at each end and in each line; a single long line must not fill an end. */
const CHARACTERS = 1500;
const LINE = 500;
/** Maximum number of characters in a line before its control sequences are removed. */
const RAW_LINE = 10 * LINE;

/** Keeps at most this many lines at each end. */
export function keepEnds(lines: number): Ends {
  const first: string[] = [];
  const last: string[] = [];
  let leftOut = 0;
  let unfinished = '';

  const fits = (kept: readonly string[], line: string) =>
    kept.length < lines && kept.reduce((sum, one) => sum + one.length + 1, line.length) <= CHARACTERS;
  const addLine = (line: string) => {
    if (first.length === 0 && line === '') return;
    if (last.length === 0 && leftOut === 0 && fits(first, line)) {
      first.push(line);
      return;
    }
    while (!fits(last, line)) {
      last.shift();
      leftOut += 1;
    }
    last.push(line);
  };
  return {
    add(text) {
      const [head = '', ...rest] = text.split('\n');
      unfinished = `${unfinished}${head}`.slice(0, RAW_LINE);
      for (const line of rest) {
        addLine(shortened(unfinished));
        unfinished = line.slice(0, RAW_LINE);
      }
    },
    ends() {
      if (unfinished !== '') addLine(shortened(unfinished));
      unfinished = '';
      return { first: first.join('\n').trimEnd(), leftOut, last: last.join('\n').trimEnd() };
    },
  };
}

export function endsOf(text: string, lines: number): OutputEnds {
  const kept = keepEnds(lines);
  kept.add(text);
  return kept.ends();
}

export const linesOmitted = (lines: number): string =>
  `[… ${lines} ${lines === 1 ? 'line' : 'lines'} omitted …]`;

/** `gap` returns the line that stands for what was left out, if anything was. */
export const joinEnds = ({ first, leftOut, last }: OutputEnds, gap: (lines: number) => string): string =>
  [first, leftOut > 0 ? gap(leftOut) : '', last].filter(part => part !== '').join('\n');

function shortened(raw: string): string {
  const line = plainText(raw).trimEnd();
  return line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line;
}
