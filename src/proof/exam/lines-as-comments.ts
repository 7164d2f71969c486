/** Turns lines of code into comments. Pure. */
import type { ChangedFile } from './changed-code.ts';
import { normalizedCode } from './syntax/normalized-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { type Lines, linesOf, withFinalNewline } from './syntax/text-lines.ts';

/** Turns each line into a comment. */
export const asComments = (lines: readonly string[], comment: string): string =>
  lines
    // A comment that ends with a backslash would continue on the next line.
    .map(line => line.replace(/^(\s*)(?=\S)/, `$1${comment} `).replace(/\\+(\r?\n?)$/, '$1'))
    .join('');

/** Keeps lines of the result as comments at the end of the file. Null if the language does not allow it. */
export function asCommentsAtEnd(
  { head, language }: ChangedFile,
  { from, to }: Lines,
): readonly Edit[] | null {
  const text = head ?? '';
  if (language.comment === null) return null;
  const comments = withFinalNewline(asComments(linesOf(text).slice(from, to), language.comment));
  const edits = [{ from: text.length, to: text.length, text: `\n${comments}` }];
  return normalizedCode(edited(text, edits), language) === normalizedCode(text, language) ? edits : null;
}
