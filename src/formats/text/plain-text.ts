/** Makes text from an agent safe for a terminal: only printable characters, newlines and tabs remain. */

/** Whole control sequences, other control characters, and direction controls, which reorder text on the screen. */
export const HIDDEN_TEXT = new RegExp(
  [
    '(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?', // operating system commands: title, clipboard, links
    '(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x9c\\n]*(?:\\x1b\\\\|\\x9c)?', // device control and other strings
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?', // cursor, color, modes
    '\\x1b[ -/]*[0-~]?',
    '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]',
    '[\\u202a-\\u202e\\u2066-\\u2069]',
  ].join('|'),
  'g',
);

export const plainText = (text: string): string => text.replace(HIDDEN_TEXT, '');

const MAX_LENGTH = 300;
/** C0 and C1 controls, and direction marks. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Reduces text to a single line of at most 300 characters, without control characters. */
export function singleLine(text: string): string {
  const line = text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : line;
}
