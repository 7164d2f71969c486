/**
 * Reverts changed lines: restores the lines of base and keeps the lines of head in place as comments, so that
 * a test that only reads the source does not notice. Pure.
 */
import type { Atom, ChangedFile } from './changed-code.ts';
import { addedAsStrings } from './lines-as-string.ts';
import { textIn } from './syntax/identifiers.ts';
import { normalizedCode } from './syntax/normalized-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { type Lines, linesOf, offsetOf, withFinalNewline } from './syntax/text-lines.ts';

export interface RevertedLines {
  /** Edits of the file on head. */
  readonly edits: readonly Edit[];
  /** False if the language does not allow the lines to stay as comments. */
  readonly ghost: boolean;
}

/** Turns each line into a comment. */
export const asComments = (lines: readonly string[], comment: string): string =>
  lines
    // A comment that ends with a backslash would continue on the next line.
    .map(line => line.replace(/^(\s*)(?=\S)/, `$1${comment} `).replace(/\\+(\r?\n?)$/, '$1'))
    .join('');

/** `before`: the lines to restore. */
export function revertLines(
  { base, head, language }: ChangedFile,
  atom: Atom,
  before = textIn(base, atom.base),
): RevertedLines {
  const text = head ?? '';
  const lines = linesOf(text);
  const from = offsetOf(lines, atom.head.from);
  const to = offsetOf(lines, atom.head.to);
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

/** Keeps lines of head as comments at the end of the file. Null if the language does not allow it. */
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

/**
 * The text of base with the added lines as comments and as strings, because a test may remove the comments from what it
 * reads; without these lines where the language does not allow it. `baseLines` returns the base lines of an atom.
 */
export function ghostOf(file: ChangedFile, baseLines: (atom: Atom) => string): string {
  const { language, atoms } = file;
  const head = file.head ?? '';
  const lines = linesOf(file.base ?? '');
  const base = edited(
    file.base ?? '',
    atoms.map(atom => ({
      from: offsetOf(lines, atom.base.from),
      to: offsetOf(lines, atom.base.to),
      text: baseLines(atom),
    })),
  );
  const edits = atoms.flatMap(atom => revertLines(file, atom, baseLines(atom)).edits);
  if (normalizedCode(edited(head, edits), language) !== normalizedCode(base, language)) return base;
  return edited(head, [...edits, ...addedAsStrings(file, edits)]);
}
