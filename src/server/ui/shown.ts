/** What is shown of a stream: its end, so much as a page can bear. Pure. */
import type { OutputLine, StreamPiece } from '../protocol.ts';

const KEPT_LINES = 800;
const KEPT_CHARS = 200_000;

export interface Shown {
  readonly lines: readonly (OutputLine & { key: number })[];
  readonly launch: number | null;
  readonly skipped: number;
}
export const NOTHING: Shown = { lines: [], launch: null, skipped: 0 };

/** The end of what is known, so much as a page can bear. */
function kept(lines: Shown['lines']): Shown['lines'] {
  let first = lines.length;
  for (let chars = 0; first > 0 && lines.length - first < KEPT_LINES; first -= 1) {
    chars += lines[first - 1]!.text.length;
    if (chars > KEPT_CHARS && first < lines.length) break;
  }
  return first === 0 ? lines : lines.slice(first);
}

export function withPieces(before: Shown, pieces: readonly StreamPiece[]): Shown {
  let { lines, launch, skipped } = before;
  let key = (lines.at(-1)?.key ?? -1) + 1;
  for (const piece of pieces) {
    if (piece.fresh) [lines, skipped] = [[], 0];
    launch = piece.launch;
    skipped += piece.skipped;
    lines = [...lines, ...piece.lines.map(line => ({ ...line, key: key++ }))];
  }
  return { lines: kept(lines), launch, skipped };
}
