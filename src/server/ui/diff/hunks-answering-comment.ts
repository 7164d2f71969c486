/** Finds the changes made in response to a comment: the later hunks that touch its lines. Pure. */

import { type Comment, endOf, sideOf } from '../review-draft.ts';
import type { Hunk, PatchFile } from './parse-patch.ts';

/** The file with only the hunks near the lines of the comment; null if there are none. */
export function hunksAnswering(
  comment: Comment,
  since: readonly PatchFile[],
  commented: readonly PatchFile[],
): PatchFile | null {
  const file = since.find(one => (one.from ?? one.path) === comment.file);
  const lines = sideOf(comment) === 'new' ? [comment.line, endOf(comment)] : linesAround(comment, commented);
  if (!file || !lines) return null;
  const hunks = file.hunks.filter(hunk => touches(hunk, lines[0]!, lines[1]!));
  return hunks.length > 0 ? { ...file, hunks } : null;
}

const touches = ({ lines }: Hunk, first: number, last: number): boolean =>
  lines.some(({ oldLine }) => oldLine !== null && first <= oldLine && oldLine <= last);

/** Returns the line numbers in the result just before and after a deleted line; null if there are none. */
function linesAround(comment: Comment, commented: readonly PatchFile[]): [number, number] | null {
  const file = commented.find(one => one.path === comment.file);
  const lines = file?.hunks.find(hunk => hunk.lines.some(line => isOld(line, comment.line)))?.lines ?? [];
  const at = lines.findIndex(line => isOld(line, comment.line));
  const before = lines.slice(0, at).findLast(line => line.newLine !== null)?.newLine;
  const after = lines.slice(at).find(line => line.newLine !== null)?.newLine;
  return before || after ? [before ?? after!, after ?? before!] : null;
}

const isOld = (line: { kind: string; oldLine: number | null }, number: number): boolean =>
  line.kind === 'deleted' && line.oldLine === number;
