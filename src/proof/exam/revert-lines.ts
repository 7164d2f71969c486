/**
 * Reverts changed lines: restores the lines of base and keeps the lines of the result in place as comments, so that
 * a test that only reads the source does not notice the change. Pure.
 */

import type { Atom, ChangedFile } from './changed-code.ts';
import { asComments } from './lines-as-comments.ts';
import { normalizedCode } from './syntax/normalized-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { linesOf, offsetsOf, textIn, withFinalNewline } from './syntax/text-lines.ts';

export interface RevertedLines {
  /** Edits to the file in the result. */
  readonly edits: readonly Edit[];
  /** False if the language does not allow the lines to stay as comments. */
  readonly ghost: boolean;
}

/** `before`: the lines to restore. */
export function revertLines(
  { base, head, language }: ChangedFile,
  atom: Atom,
  before = textIn(base, atom.base),
): RevertedLines {
  const text = head ?? '';
  const lines = linesOf(text);
  const { from, to } = offsetsOf(lines, atom.head);
  const plain = [{ from, to, text: before }];
  if (language.comment === null || from === to) return { edits: plain, ghost: language.comment !== null };
  const comments = withFinalNewline(asComments(lines.slice(atom.head.from, atom.head.to), language.comment));
  const inPlace = [{ from, to, text: `${comments}${before}` }];
  const atEnd = [...plain, { from: text.length, to: text.length, text: `\n${comments}` }];
  const wanted = normalizedCode(edited(text, plain), language);
  // A line that ends with a backslash continues on the next one, which must not be a comment. Without a
  // grammar, the lines may be in a here-document, where a comment would be text.
  const isSafe = language.grammar !== null && !/\\\r?\n$/.test(text.slice(0, from));
  const candidates = isSafe ? [inPlace, atEnd] : [atEnd];
  const fits = candidates.find(edits => normalizedCode(edited(text, edits), language) === wanted);
  return { edits: fits ?? plain, ghost: fits !== undefined };
}
