/** Text from an agent, made harmless for a terminal: what remains is characters, line ends and tabs. */

const SEQUENCES = new RegExp(
  [
    '(?:\\x1b\\]|\\x9d)[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?', // operating system commands: title, clipboard, links
    '(?:\\x1b[PX^_]|[\\x90\\x98\\x9e\\x9f])[^\\x1b\\x9c\\n]*(?:\\x1b\\\\|\\x9c)?', // device control and other strings
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?', // cursor, colour, modes
    '\\x1b[ -/]*[0-~]?',
  ].join('|'),
  'g',
);
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** They reorder what is read on the screen. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

export const plain = (said: string): string =>
  said.replace(SEQUENCES, '').replace(CONTROLS, '').replace(DIRECTIONS, '');
