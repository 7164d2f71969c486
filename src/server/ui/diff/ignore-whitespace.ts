/** Removes whitespace changes from the diff of a file. */
import { diffArrays } from 'diff';
import { type Block, blocksOf } from './diff-rows.ts';
import type { PatchFile, PatchLine } from './parse-patch.ts';

const WHITESPACE = /\s+/g;
/** Blocks that differ in more lines than this keep their whitespace changes. */
const MAX_EDITS = 2000;

/**
 * The file without whitespace changes: lines that differ only in whitespace become unchanged lines with their
 * new text.
 */
export function withoutWhitespace(file: PatchFile): PatchFile {
  const hunks = file.hunks
    .map(hunk => ({ ...hunk, lines: blocksOf(hunk.lines).flatMap(ignoringWhitespace) }))
    .filter(hunk => hunk.lines.some(line => line.kind !== 'same'));
  return { ...file, hunks };
}

function ignoringWhitespace({ deleted, added, after }: Block): PatchLine[] {
  const bare = (lines: readonly PatchLine[]) => lines.map(({ text }) => text.replace(WHITESPACE, ''));
  const parts = diffArrays(bare(deleted), bare(added), { maxEditLength: MAX_EDITS });
  const rest = after ? [after] : [];
  if (!parts) return [...deleted, ...added, ...rest];
  const [oldLines, newLines] = [[...deleted], [...added]];
  const lines = parts.flatMap(({ added: isNew, removed: isOld, value: { length } }): PatchLine[] => {
    if (isNew) return newLines.splice(0, length);
    const before = oldLines.splice(0, length);
    if (isOld) return before;
    return newLines
      .splice(0, length)
      .map((line, i) => ({ ...line, kind: 'same', oldLine: before[i]!.oldLine }));
  });
  return [...lines, ...rest];
}
