/** Finds the words that differ between two versions of a line. */
import { diffWordsWithSpace } from 'diff';
import type { PatchLine } from './parse-patch.ts';

/** Part of a line: the offset of its first character, and the offset after its last. */
export type Range = readonly [from: number, to: number];

/** Changed words are not marked in lines longer than this, nor in two lines that have little in common. */
const MAX_LINE_CHARS = 500;
const IN_COMMON = 0.3;

/** The words that differ between a deleted and an added line. */
export function changedWords(
  { text: before }: PatchLine,
  { text: after }: PatchLine,
): { deleted: Range[]; added: Range[] } {
  const found: { deleted: Range[]; added: Range[] } = { deleted: [], added: [] };
  if (before.length > MAX_LINE_CHARS || after.length > MAX_LINE_CHARS) return found;
  let [a, b, common] = [0, 0, 0];
  for (const { added, removed, value } of diffWordsWithSpace(before, after)) {
    if (added) found.added.push([b, b + value.length]);
    else if (removed) found.deleted.push([a, a + value.length]);
    else common += value.trim().length;
    if (!removed) b += value.length;
    if (!added) a += value.length;
  }
  const enough = common >= IN_COMMON * Math.max(before.trim().length, after.trim().length);
  return enough ? found : { deleted: [], added: [] };
}
