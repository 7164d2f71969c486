/**
 * Keeps lines of code as strings that have no effect, so that a test that reads the source without its comments does
 * not notice that the code is missing. Pure.
 */
import type { ChangedFile } from './changed-code.ts';
import type { CodeLanguage } from './syntax/languages.ts';
import { normalizedCodeWithoutDocs } from './syntax/normalized-code.ts';
import { syntaxErrors } from './syntax/parse-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { linesOf, offsetOf, withFinalNewline } from './syntax/text-lines.ts';

const COMMENT_LINE = /^(?:\/\/|\/\*|\*[\s/])/;

/**
 * Returns a statement that contains the lines as one string; null if the language has no such statement, or the lines
 * have no code.
 */
function asString(lines: readonly string[], { comment, grammar }: CodeLanguage): string | null {
  if (!grammar?.stringStatement) return null;
  const { quotes, code } = grammar.stringStatement;
  const isComment = (line: string) =>
    comment === '//' ? COMMENT_LINE.test(line) : comment !== null && line.startsWith(comment);
  const text = lines
    .map(line => line.trim())
    .filter(line => line !== '' && !isComment(line))
    .join(' ');
  if (text === '') return null;
  const quote = quotes.find(each => !text.includes(each));
  return code(
    quote === undefined || text.includes('\\') ? JSON.stringify(text) : `${quote}${text}${quote}`,
    text,
  );
}

/** Adds the statement from `asString` to the end of a file, if there is one. */
export function withStringAtEnd(text: string, lines: readonly string[], language: CodeLanguage): string {
  const string = asString(lines, language);
  return string === null ? text : `${withFinalNewline(text)}${string}\n`;
}

/**
 * Adds the statement from `asString` before the code at an offset or, if that changes the code, at the end of the file.
 * In JavaScript, a test may read the text of a single function. Lines keep their numbers.
 */
export function withStringAt(
  text: string,
  lines: readonly string[],
  offset: number,
  language: CodeLanguage,
): string {
  const string = asString(lines, language);
  if (string === null) return text;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start))![0].length;
  const added = string.endsWith(';') ? `${string} ` : `${string}; `;
  // The code may be a semicolon that ends the statement before it; the semicolon then ends the string instead.
  const found = [added, `;${string.replace(/;$/, ' ')}`].flatMap(inserted =>
    [offset, start + indent].map(at => edited(text, [{ from: at, to: at, text: inserted }])),
  );
  const wanted = normalizedCodeWithoutDocs(text, language);
  const errors = syntaxErrors(text, language);
  const isSame = (code: string) =>
    syntaxErrors(code, language) <= errors && normalizedCodeWithoutDocs(code, language) === wanted;
  return found.find(isSame) ?? withStringAtEnd(text, lines, language);
}

/**
 * Keeps the added lines as strings, each in its place or, where that would change the code, at the end of the file.
 * `reverted`: the edits that turn the code of the result into the code of base.
 */
export function addedAsStrings(
  { head, atoms, language }: ChangedFile,
  reverted: readonly Edit[],
): readonly Edit[] {
  const text = head ?? '';
  const lines = linesOf(text);
  const base = edited(text, reverted);
  const wanted = normalizedCodeWithoutDocs(base, language);
  const errors = syntaxErrors(base, language);
  const inPlace: Edit[] = [];
  let rest = '';
  for (const { head: added } of atoms) {
    const own = lines.slice(added.from, added.to);
    const string = asString(own, language);
    if (string === null) continue;
    const at = offsetOf(lines, added.from);
    const [indent] = /^[ \t]*/.exec(own.find(line => line.trim() !== '')!)!;
    const edit: Edit = { from: at, to: at, text: `${indent}${string}\n` };
    const code = edited(text, [...reverted, ...inPlace, edit]);
    const isSame =
      normalizedCodeWithoutDocs(code, language) === wanted && syntaxErrors(code, language) <= errors;
    if (isSame) inPlace.push(edit);
    else rest += `${string}\n`;
  }
  const atEnd: Edit = { from: text.length, to: text.length, text: `\n${rest}` };
  return rest === '' ? inPlace : [...inPlace, atEnd];
}
