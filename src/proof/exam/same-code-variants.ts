/**
 * Two variants that contain the same code as the base and the result. A test whose outcome differs on them
 * reads the source text. Pure.
 */
import type { Change, ChangedFile } from './changed-code.ts';
import type { CodeLanguage } from './languages.ts';
import { normalizedCode, syntaxErrors } from './normalized-code.ts';
import { asComments, broken, ghostOf } from './revert-lines.ts';
import { type Edit, edited, linesOf, offsetOf } from './text-edits.ts';
import type { Variant } from './variant.ts';

/**
 * The base, with each line that the change adds inserted in its place as a comment. New files contain only
 * comments and, in Go, the name of their package.
 */
export const ghostBase = ({ code }: Change): Variant => ({
  of: 'base',
  edits: new Map(
    code.flatMap(file => {
      const { head, path, base, basePath, language } = file;
      if (head === null || language.comment === null) return [];
      const comments: [string, Buffer] = [path, Buffer.from(newGhost(head, language.comment, path))];
      const ghost: [string, Buffer][] = base === null ? [] : [[basePath!, Buffer.from(ghostOf(file))]];
      return base === null || basePath !== path ? [comments, ...ghost] : ghost;
    }),
  ),
});

/** Go does not compile a package if one of its files lacks the package clause. */
const newGhost = (head: string, comment: string, path: string): string =>
  linesOf(head)
    .map(line => (path.endsWith('.go') && /^package\s/.test(line) ? line : asComments([line], comment)))
    .join('');

/**
 * The result, with comments (including the removed lines) before every changed place, with wider spaces between
 * the words of changed lines, and with code that has no effect at the end of every changed file.
 */
export const placebo = ({ code }: Change): Variant => ({
  of: 'head',
  edits: new Map(
    code.flatMap(file => {
      const text = file.head === null ? null : placeboOf(file, file.head);
      return text === null || text === file.head ? [] : [[file.path, Buffer.from(text)]];
    }),
  ),
});

const NOTE = 'Nothing changes here.';
/** In PHP, Perl and Ruby, text after these marks is not code. */
const TEXT_AT_END = /\?>\s*$|^__(?:END|DATA)__\r?$/m;

function placeboOf({ atoms, base, language }: ChangedFile, text: string): string {
  const { comment, grammar } = language;
  if (comment === null) return text;
  const lines = linesOf(text);
  const wanted = normalizedCode(text, language);
  const edits = atoms.flatMap(({ head, base: before }): Edit[] => {
    const at = (offset: number, added: string): Edit => ({ from: offset, to: offset, text: added });
    const from = offsetOf(lines, head.from);
    const indent = /^[ \t]*/.exec(lines[head.from] ?? '')![0];
    const note = `${indent}${comment} ${NOTE}\n`;
    const removed = broken(asComments(linesOf(base ?? '').slice(before.from, before.to), comment));
    const atEnd = removed === '' ? [] : [at(text.length, `\n${removed}`)];
    const isFirst = head.from === 0 || /\\\r?\n?$/.test(lines[head.from - 1]!);
    const inPlace =
      isFirst || grammar === null ? [] : [[at(from, `${note}${removed}`)], [at(from, note), ...atEnd]];
    const candidates = [...inPlace, atEnd];
    return candidates.find(each => normalizedCode(edited(text, each), language) === wanted) ?? [];
  });
  const spaces = atoms.flatMap(({ head }) =>
    widerSpaces(text, language, offsetOf(lines, head.from), offsetOf(lines, head.to)),
  );
  const isSame = normalizedCode(edited(text, spaces), language) === wanted;
  const noted = edited(text, isSame ? [...edits, ...spaces] : edits);
  const last = grammar?.idle ?? (TEXT_AT_END.test(text) ? '' : `${comment} ${NOTE}`);
  const idle = `${noted}${noted.endsWith('\n') ? '' : '\n'}${last}\n`;
  return syntaxErrors(idle, language) > syntaxErrors(text, language) ? noted : idle;
}

/** Syntax nodes with text that is not code, or in which a space is significant. */
const TEXTS = /String|Template|RegExp|Comment|JSX|RawText/;

/** Doubles each space between two words of code on the same line. */
function widerSpaces(text: string, { grammar }: CodeLanguage, from: number, to: number): Edit[] {
  const edits: Edit[] = [];
  let end = from;
  grammar?.parser.parse(text).iterate({
    from,
    to,
    enter({ name, node }) {
      if (!TEXTS.test(name) && node.firstChild) return true;
      if (node.from > end && node.to <= to && /^ +$/.test(text.slice(end, node.from)))
        edits.push({ from: end, to: end, text: ' ' });
      end = Math.max(end, node.to);
      return false;
    },
  });
  // The first word of the range may belong to a text that begins before it.
  return edits.filter(edit => edit.from > from);
}
