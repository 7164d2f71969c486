/**
 * What others wrote (agents, people, file names), put into Dure's Markdown. It stands there to the letter, in a code span
 * or a block of its own, and can neither end it nor form a heading, a table or a list. Characters that hide, or turn
 * text around, are spelled out. Pure.
 */

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const LINE_ENDS = /[\n\t]/g;

const codePoint = (mark: string): string =>
  `⟨U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Line ends and tabs stay. */
export const visible = (text: string): string => text.replace(HIDDEN, codePoint);

/** A path or a name on one line. */
export const spelledOut = (text: string): string => visible(text).replace(LINE_ENDS, codePoint);

/** A path, a name, a command or a word of others as a code span, on one line, also in a table. */
export function quotedName(text: string): string {
  // Renderers do not agree on how a bar in a table is escaped.
  const shown = spelledOut(text).replaceAll('|', codePoint) || ' ';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // Markdown takes one space off either side when both are there.
  const padded = /^[ `]|[ `]$/.test(shown) && shown.trim() !== '' ? ` ${shown} ` : shown;
  return `${fence}${padded}${fence}`;
}

/** Sentences of others, as a block that readers show as a quotation. */
export const quotation = (text: string): string =>
  fenced(visible(text.replace(/\r\n?/g, '\n')).trim(), 'quote');

/** A block whose fence is longer than any run of backticks inside. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
