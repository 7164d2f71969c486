/**
 * Builds variants that contain the same code as base or as the result. A test whose outcome there differs from that on
 * the original reads the source text or, if it passes on base with new parameters, only passes arguments. Pure.
 */
import type { Tree } from '@lezer/common';
import { baseWithAddedParameters } from '../added-parameters.ts';
import { withUnreachable } from '../append-unreachable-code.ts';
import type { Atom, Change, ChangedFile } from '../changed-code.ts';
import { asComments } from '../lines-as-comments.ts';
import { addedAsStrings, withStringAtEnd } from '../lines-as-string.ts';
import { revertLines } from '../revert-lines.ts';
import type { Grammar } from '../syntax/languages.ts';
import { normalizedCode } from '../syntax/normalized-code.ts';
import { syntaxErrors } from '../syntax/parse-code.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { linesOf, offsetsOf, textIn, withFinalNewline } from '../syntax/text-lines.ts';
import type { Variant } from './variant.ts';

/**
 * Base, with each line that the change adds inserted in its place as a comment and in a string, and with the code of
 * the result at the end of each changed file, where it never runs. New files contain nothing else except, in Go, the
 * name of their package.
 */
export const ghostBase = (change: Change): Variant => ghost(change, () => null);

/**
 * Like `ghostBase`, but with the parameters that the change adds to functions of base: a test that only passes these
 * parameters does not fail there. Null if the change adds none.
 */
export function ghostBaseWithParameters(change: Change): Variant | null {
  const hasParameters = change.code.some(file =>
    file.atoms.some(atom => baseWithAddedParameters(file, atom) !== null),
  );
  return hasParameters ? ghost(change, baseWithAddedParameters) : null;
}

/** `baseLines` returns the text that replaces the base lines of an atom; null to keep them. */
const ghost = ({ code }: Change, baseLines: (file: ChangedFile, atom: Atom) => string | null): Variant => ({
  of: 'base',
  edits: new Map(
    code.flatMap(file => {
      const { head, path, base, basePath, language } = file;
      if (head === null || language.comment === null) return [];
      const withHead = (text: string) => Buffer.from(withUnreachable(text, head, language));
      const added: [string, Buffer] = [path, withHead(newGhost(head, language.comment, file))];
      if (base === null) return [added];
      const ghost = ghostOf(file, atom => baseLines(file, atom) ?? textIn(base, atom.base));
      const changed: [string, Buffer] = [basePath!, withHead(ghost)];
      return basePath === path ? [changed] : [added, changed];
    }),
  ),
});

function newGhost(head: string, comment: string, file: ChangedFile): string {
  const lines = linesOf(head);
  // Go does not compile a package if one of its files lacks the package clause.
  const isPackage = (line: string) => file.path.endsWith('.go') && /^package\s/.test(line);
  const ghost = lines.map(line => (isPackage(line) ? line : asComments([line], comment))).join('');
  return withStringAtEnd(ghost, lines, file.language);
}

/**
 * The result with comments on the changed lines, with wider spaces between their words, and with the removed lines and
 * code that has no effect at the end of every changed file. All lines keep their numbers, which a program may print.
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
/** In PHP, Perl and Ruby, text after these markers is not code. */
const TEXT_AT_END = /\?>\s*$|^__(?:END|DATA)__\r?$/m;

function placeboOf({ atoms, base, language }: ChangedFile, text: string): string {
  const { comment, grammar } = language;
  if (comment === null) return text;
  const removed = atoms.flatMap(({ base: { from, to } }) => {
    const ghost = withFinalNewline(asComments(linesOf(base ?? '').slice(from, to), comment));
    return ghost === '' ? [] : [{ from: text.length, to: text.length, text: `\n${ghost}` }];
  });
  const ofLines = grammar === null ? [[]] : editsOfLines(text, grammar, comment, atoms);
  const changed = ofLines.map(edits => [...edits, ...removed]);
  const wanted = normalizedCode(text, language);
  const found = changed.find(edits => normalizedCode(edited(text, edits), language) === wanted);
  const noted = edited(text, found ?? []);
  const last = grammar?.idle ?? (TEXT_AT_END.test(text) ? '' : `${comment} ${NOTE}`);
  const idle = `${noted}${noted.endsWith('\n') ? '' : '\n'}${last}\n`;
  return syntaxErrors(idle, language) > syntaxErrors(text, language) ? noted : idle;
}

/** Syntax nodes whose content is not code, or in which spaces are significant. */
const TEXTS = /String|Template|RegExp|Comment|JSX|RawText/;

/**
 * Returns several lists of edits to the changed lines, the one with the most edits first, because some code parses
 * differently with a comment before a line. The last list is empty.
 */
function editsOfLines(
  text: string,
  grammar: Grammar,
  comment: string,
  atoms: readonly Pick<Atom, 'head'>[],
): Edit[][] {
  const tree = grammar.parser.parse(text);
  const lines = linesOf(text);
  const ranges = atoms.map(({ head }) => offsetsOf(lines, head));
  const isChanged = (offset: number) => ranges.some(({ from, to }) => offset >= from && offset < to);
  const places = codeLines(tree, text);
  const ends = places.flatMap(({ end }): Edit[] =>
    end !== null && isChanged(end - 1) ? [{ from: end, to: end, text: ` ${comment} ${NOTE}` }] : [],
  );
  // A comment before a line may be a directive, which applies to what comes directly after it.
  const starts = places.flatMap(({ start, isAfterComment }): Edit[] =>
    start !== null && isChanged(start) && !isAfterComment && !grammar.indented
      ? [{ from: start, to: start, text: `/* ${NOTE} */ ` }]
      : [],
  );
  const indents = places.flatMap(({ indent, start }): Edit[] =>
    grammar.indented && start !== null ? [{ from: start, to: start, text: indent }] : [],
  );
  const spaces = ranges.flatMap(({ from, to }) => widerSpaces(tree, text, from, to));
  return [[...ends, ...spaces, ...indents, ...starts], [...ends, ...spaces, ...indents], ends, spaces, []];
}

interface CodeLine {
  readonly indent: string;
  /** Where the code of the line starts and where it ends; null for a place inside a string, a comment or the like. */
  readonly start: number | null;
  readonly end: number | null;
  readonly isAfterComment: boolean;
}

function codeLines(tree: Tree, text: string): CodeLine[] {
  const texts: { readonly from: number; readonly to: number; readonly isComment: boolean }[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      if (!TEXTS.test(name)) return true;
      texts.push({ from, to, isComment: /Comment/.test(name) });
      return false;
    },
  });
  const isIn = (offset: number) =>
    texts.some(({ from, to, isComment }) => offset > from && (isComment ? offset <= to : offset < to));
  const isComment = (offset: number) => texts.some(each => each.isComment && each.from === offset);
  let offset = 0;
  let isAfterComment = false;
  return linesOf(text).map((line): CodeLine => {
    const indent = /^[ \t]*/.exec(line)![0];
    const start = offset + indent.length;
    const end = offset + line.trimEnd().length;
    offset += line.length;
    const isCode = end > start && !isComment(start) && !line.startsWith('#!');
    const found = {
      indent,
      start: isCode && !isIn(start) ? start : null,
      end: isCode && !isIn(end) && !line.trimEnd().endsWith('\\') ? end : null,
      isAfterComment,
    };
    isAfterComment = isComment(start) || isIn(end);
    return found;
  });
}

/** Adds a space where spaces separate two words of code on the same line. */
function widerSpaces(tree: Tree, text: string, from: number, to: number): Edit[] {
  const edits: Edit[] = [];
  let end = from;
  tree.iterate({
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
  // The first word of the range may belong to a string that begins before it.
  return edits.filter(edit => edit.from > from);
}

/**
 * The text of base with the added lines as comments and as strings, because a test may remove the comments from what it
 * reads; without these lines if they would change the code. `baseLines` returns the base lines of an atom.
 */
function ghostOf(file: ChangedFile, baseLines: (atom: Atom) => string): string {
  const { language, atoms } = file;
  const head = file.head ?? '';
  const lines = linesOf(file.base ?? '');
  const base = edited(
    file.base ?? '',
    atoms.map(atom => ({
      ...offsetsOf(lines, atom.base),
      text: baseLines(atom),
    })),
  );
  const edits = atoms.flatMap(atom => revertLines(file, atom, baseLines(atom)).edits);
  if (normalizedCode(edited(head, edits), language) !== normalizedCode(base, language)) return base;
  return edited(head, [...edits, ...addedAsStrings(file, edits)]);
}
