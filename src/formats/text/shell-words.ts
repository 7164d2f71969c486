/** Splits simple shell commands, whose parts are joined by `&&`, into words, and quotes words. This module is pure. */

/** One of the parts that `&&` joins. `words` is null when the shell would expand or interpret the part. */
export interface Part {
  readonly text: string;
  readonly words: readonly string[] | null;
}

/** Splits `a && b && c` into its parts. A command with any other top-level operator is one part. */
export function partsOf(command: string): Part[] {
  const texts = split(command);
  return texts.map(text => ({ text, words: wordsOf(text) }));
}

/**
 * Joins the parts of a command with `&&` if line breaks, `;` or `&&` separate them. Returns any other command
 * unchanged.
 */
export function joinedByAnd(command: string): string {
  const lines = command.split('\n').filter(line => !/^\s*(?:#|$)/.test(line));
  const texts = split(lines.join('\n'), /[;\n]\s*|&&\s*/y);
  return texts.some(text => text === '' || KEYWORD.test(text)) ? command : texts.join(' && ');
}

const KEYWORD = /^(?:if|then|elif|else|fi|for|do|done|while|until|case|esac|function|!|\{|\})(?=\s|$)/;

/** `separator` must have the sticky flag (`y`). */
function split(command: string, separator = /&&/y): string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const c = command[at]!;
    separator.lastIndex = at;
    const [found] = separator.exec(command) ?? [];
    if (quote !== '') {
      if (c === '\\' && quote === '"') at++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '\\') at++;
    else if (found !== undefined) {
      parts.push(command.slice(start, at).trim());
      start = at + found.length;
      at = start - 1;
    } else if (/[;|&()\n<>`#]/.test(c)) return [command.trim()];
  }
  return [...parts, command.slice(start).trim()];
}

function wordsOf(text: string): string[] | null {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const match = /^(?:[\w@%+=:,./~^-]|'[^']*'|"[^"$`\\!]*")+(?=\s|$)/.exec(rest);
    if (!match) return null;
    // The shell would expand the tilde to a home folder.
    if (match[0].startsWith('~')) return null;
    words.push(match[0].replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    rest = rest.slice(match[0].length).trimStart();
  }
  return words.length > 0 ? words : null;
}

/** Whether a part may change the state of the shell, on which the parts after it depend. */
export const changesShell = ({ words }: Part): boolean =>
  words === null ||
  /^(cd|pushd|popd|export|source|\.|set|unset|alias|eval|ulimit|umask|trap)$/.test(words[0]!) ||
  (words[0]!.includes('=') && words.length === 1);

/** Quotes a word so that the shell passes it on unchanged. */
export const singleQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Like `singleQuoted`, but leaves a word that needs no quotes as it is. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);

export const joinWords = (words: readonly string[]): string => words.map(quoteWord).join(' ');
