/**
 * Puts file names and text from agents and people into Dure's Markdown verbatim, as a code span or a fenced block. The
 * text cannot end the quotation or form a heading, table or list. Invisible and bidirectional characters are shown as
 * code points.
 */

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const LINE_ENDS = /[\n\t]/g;

const codePoint = (mark: string): string =>
  `⟨U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Shows hidden characters as code points, but keeps newlines and tabs. */
export const visible = (text: string): string => text.replace(HIDDEN, codePoint);

/** Shows a path or a name on one line, with newlines and tabs as code points. */
export const spelledOut = (text: string): string => visible(text).replace(LINE_ENDS, codePoint);

/** Formats a path, a name or a command as a code span on one line, which can also be used in a table. */
export function quotedName(text: string): string {
  // Renderers disagree about how to escape `|` in a table.
  const shown = spelledOut(text).replaceAll('|', codePoint) || ' ';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // Markdown strips one space from each end of a code span if both ends have one.
  const padded = /^[ `]|[ `]$/.test(shown) && shown.trim() !== '' ? ` ${shown} ` : shown;
  return `${fence}${padded}${fence}`;
}

/** Formats text as a fenced block with the language `quote`. */
export const quotation = (text: string): string =>
  fenced(visible(text.replace(/\r\n?/g, '\n')).trim(), 'quote');

/** Formats text as a fenced block; the fence is longer than any run of backticks inside. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
