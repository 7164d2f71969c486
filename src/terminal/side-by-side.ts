/** A unified diff with what was on the left and what is on the right. Pure but for colours; no line is wider than asked. */
import { paint } from './paint.ts';
import { pad, pieces, shorten } from './text.ts';

/** Columns below which two halves are too narrow to read. */
export const SIDE_BY_SIDE = 120;

interface Half {
  readonly number: number;
  readonly text: string;
}
const NUMBER = 5;

export function sideBySide(patch: string, width: number): string {
  const half = Math.floor((width - 3) / 2);
  const lines: string[] = [];
  let before: Half[] = [];
  let after: Half[] = [];
  let [left, right] = [0, 0];
  /** Lines of a hunk that are still to come; a text line may look like a heading. */
  let open = 0;
  const settle = () => {
    for (let i = 0; i < Math.max(before.length, after.length); i += 1)
      lines.push(...row(before[i] ?? null, after[i] ?? null, half, ['red', 'green']));
    before = [];
    after = [];
  };
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line);
    if (open > 0) {
      const text = line.slice(1);
      if (line.startsWith('-')) before.push({ number: left++, text });
      else if (line.startsWith('+')) after.push({ number: right++, text });
      else if (!line.startsWith('\\')) {
        settle();
        lines.push(...row({ number: left++, text }, { number: right++, text }, half, ['reset', 'reset']));
      }
      open -= line.startsWith('\\') ? 0 : line.startsWith('-') || line.startsWith('+') ? 1 : 2;
    } else if (hunk) {
      settle();
      [left, right] = [Number(hunk[1]), Number(hunk[3])];
      open = Number(hunk[2] ?? 1) + Number(hunk[4] ?? 1);
      lines.push(paint('cyan', shorten(line, width)));
    } else if (line.startsWith('diff --git ')) {
      settle();
      lines.push('', paint('bold', shorten(line.replace(/^diff --git a\/(.*) b\/\1$/, '$1'), width)));
    } else if (/^(new file|deleted file|rename |old mode|new mode|Binary )/.test(line)) {
      settle();
      lines.push(paint('dim', shorten(line, width)));
    }
  }
  settle();
  return `${lines.join('\n').trimStart()}\n`;
}

type Colour = 'red' | 'green' | 'reset';

/** A line that is too long for its half goes on below. */
function row(was: Half | null, is: Half | null, half: number, colours: readonly [Colour, Colour]): string[] {
  const [left, right] = [numbered(was, half), numbered(is, half)];
  const blank = ' '.repeat(half);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    [
      coloured(left[i] ?? blank, colours[0]),
      paint('dim', '│'),
      coloured((right[i] ?? '').trimEnd(), colours[1]),
    ]
      .join(' ')
      .trimEnd(),
  );
}

const coloured = (text: string, colour: Colour) => (colour === 'reset' ? text : paint(colour, text));

function numbered(side: Half | null, half: number): string[] {
  if (side === null) return [];
  return pieces(side.text.replaceAll('\t', '  '), half - NUMBER).map((piece, i) =>
    pad(`${(i === 0 ? String(side.number) : '').padStart(NUMBER - 1)} ${piece}`, half),
  );
}
