/**
 * Divides a change into units, the smallest parts that can be taken out alone: the atoms of the diff, and in
 * added code each function and constant, which is emptied instead of removed. Pure.
 */
import { baseWithAddedParameters, onlyAddsParameters } from './added-parameters.ts';
import type { Atom, Change, ChangedFile } from './changed-code.ts';
import { constantsIn, type DeclarationNode, functionsIn } from './faults/empty-declarations.ts';
import { asCommentsAtEnd } from './lines-as-comments.ts';
import { revertLines } from './revert-lines.ts';
import { except, overlap } from './set-operations.ts';
import { framesIn, headersIn } from './structural-lines.ts';
import { type MemberInCode, membersIn } from './syntax/find-members.ts';
import { classesIn, exportedIn, identifiersIn, wordsIn } from './syntax/identifiers.ts';
import {
  normalizedCode,
  normalizedCodeWithoutDocs,
  normalizedCodeWithoutTypes,
} from './syntax/normalized-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { isIn, type Lines, lineAt, linesOf, rangeOf, textIn } from './syntax/text-lines.ts';

export interface Unit {
  readonly id: string;
  readonly file: ChangedFile;
  /** Lines of the result and the lines of base that they replace. */
  readonly head: Lines;
  readonly base: Lines;
  /** Edits of the result that take the unit out; null for a deleted file, which is restored. */
  readonly out: readonly Edit[] | null;
  /**
   * `docs`: text that counts as code only if a test notices it; `frame`: added imports, brackets and the like, on which
   * other code depends.
   */
  readonly kind: 'code' | 'docs' | 'frame' | 'not-code' | 'types-only';
  /** Whether the source still contains the removed code as text; only then is noticing the removal evidence. */
  readonly countsAsEvidence: boolean;
  /**
   * Whether a test may fail without the unit although it checks only that something exists, what type it has or how it
   * is declared. This is true of a function or constant that is emptied instead of removed, and of a unit that adds a
   * member to an object, adds a value to return or changes the header of a Python function. For these, a fault in one
   * of the lines shows more about the tests.
   */
  readonly mayOnlyExist: boolean;
}

export function unitsOf({ code }: Change): Unit[] {
  const files = code.map(file => ({ file, functions: addedDeclarations(file) }));
  const names = new Set(
    files.flatMap(({ file, functions }) => [
      ...functions.flatMap(({ name }) => name ?? []),
      ...except(classesIn(file.head ?? ''), classesIn(file.base ?? '')),
      ...except(exportedIn(file.head ?? ''), exportedIn(file.base ?? '')),
    ]),
  );
  return files
    .flatMap(({ file, functions }) => partsOf(file, functions, names))
    .map((part, n) => ({ id: `u${n + 1}`, ...part }));
}

type Part = Omit<Unit, 'id'>;

interface AddedDeclaration {
  readonly atom: Atom;
  readonly lines: Lines;
  /** Undefined for methods in some languages. */
  readonly name: string | undefined;
  /** Edits that remove the effect of the declaration. */
  readonly out: readonly Edit[];
}

function addedDeclarations(file: ChangedFile): AddedDeclaration[] {
  const { head, base, language, atoms } = file;
  if (head === null || language.grammar === null) return [];
  const before = identifiersIn(base ?? '');
  const tree = language.grammar.parser.parse(head);
  const members = membersIn(tree, head);
  const functions = functionsIn(tree, head).filter(each => !sharesLines(each, members, head));
  const constants = constantsIn(tree, head).filter(
    ({ from, to }) => !functions.some(each => each.from >= from && each.to <= to),
  );
  const declarations = [...functions, ...constants].sort((a, b) => a.from - b.from);
  return declarations.flatMap(declaration => {
    const { from, to, emptied } = declaration;
    const lines = linesBetween(head, from, to);
    const atom = atoms.find(each => lines.from >= each.head.from && lines.to <= each.head.to);
    const [name] = identifiersIn(textIn(head, { from: lines.from, to: lines.from + 1 }));
    // Among changed lines, a declaration without a new name may be an old one that was changed.
    const isAdded = atom && (isEmpty(atom.base) || (name !== undefined && !before.has(name)));
    if (!emptied || !isAdded) return [];
    // The body of a function stays in the source; the value of a constant stays there as a comment.
    const kept = constants.includes(declaration) ? asCommentsAtEnd(file, lines) : [];
    return kept === null ? [] : [{ atom, lines, name, out: [emptied, ...kept] }];
  });
}

/** Whether a member that is not part of the function starts on one of its lines. */
function sharesLines(of: DeclarationNode, members: readonly MemberInCode[], code: string): boolean {
  const lines = linesBetween(code, of.from, of.to);
  return members.some(({ from, to, line }) => isIn(line, lines) && (to <= of.from || from >= of.to));
}

const isEmpty = ({ from, to }: Lines): boolean => from === to;

/** The number of statements that return a value. */
const returnsIn = (text: string): number => text.match(/\breturn\b[ \t]*[^\s;}]/g)?.length ?? 0;

/** `names`: the names of the functions, classes and exports added in any file. */
function partsOf(
  file: ChangedFile,
  functions: readonly AddedDeclaration[],
  names: ReadonlySet<string>,
): Part[] {
  const { head, base, language } = file;
  if (head === null) {
    const whole = { from: 0, to: linesOf(base ?? '').length };
    return [
      {
        file,
        head: { from: 0, to: 0 },
        base: whole,
        out: null,
        kind: 'code',
        countsAsEvidence: true,
        mayOnlyExist: false,
      },
    ];
  }
  const tree = language.grammar?.parser.parse(head);
  const structure = normalizedCode(head, language);
  const untyped = normalizedCodeWithoutTypes(head, language);
  const undocumented = normalizedCodeWithoutDocs(head, language);
  const members = tree ? membersIn(tree, head) : [];
  const before = (atom: Atom) => textIn(base, atom.base);
  const frame = tree ? framesIn(tree, head) : new Set<number>();
  const headers = tree ? headersIn(tree, head) : new Set<number>();
  const lines = linesOf(head);
  const isBlank = (line: number) => lines[line]!.trim() === '';
  const isSame = (code: string) =>
    normalizedCodeWithoutTypes(code, language) === untyped ||
    normalizedCodeWithoutDocs(code, language) === undocumented;
  const part = (atom: Atom): Part => {
    const rest = baseWithAddedParameters(file, atom);
    const reverted = rest === null ? null : revertLines(file, atom, rest);
    const isParameter =
      onlyAddsParameters(file, atom) || (reverted !== null && isSame(edited(head, reverted.edits)));
    const { edits, ghost } = reverted === null || isParameter ? revertLines(file, atom) : reverted;
    const without = edited(head, edits);
    const isAdded = isEmpty(atom.base);
    const written = rangeOf(atom.head).filter(line => !isBlank(line));
    const kind =
      normalizedCode(without, language) === structure
        ? 'not-code'
        : normalizedCodeWithoutTypes(without, language) === untyped
          ? 'types-only'
          : normalizedCodeWithoutDocs(without, language) === undocumented
            ? 'docs'
            : isAdded && written.every(line => frame.has(line))
              ? 'frame'
              : 'code';
    return {
      file,
      ...atom,
      out: edits,
      kind,
      countsAsEvidence: ghost && !exportsAny(names, file, atom) && !isParameter,
      mayOnlyExist:
        members.some(each => isIn(each.line, atom.head) && !before(atom).includes(each.name)) ||
        returnsIn(textIn(head, atom.head)) > returnsIn(before(atom)) ||
        rangeOf(atom.head).some(line => headers.has(line)),
    };
  };
  return file.atoms.flatMap(atom => {
    const inside = functions.filter(each => each.atom === atom);
    if (inside.length === 0) return [part(atom)];
    const { base } = atom;
    const end = { from: base.to, to: base.to };
    const emptied = inside.map(({ lines: own, out }): Part => {
      return { file, head: own, base: end, out, kind: 'code', countsAsEvidence: true, mayOnlyExist: true };
    });
    const gaps = gapsIn(atom.head, inside, isBlank);
    if (gaps.length === 0 && !isEmpty(base)) gaps.push({ from: atom.head.from, to: atom.head.from });
    // It is unknown which of several gaps the lines of base belong to, so a failure after removing one of
    // them is not evidence.
    const isKnown = gaps.length < 2 || isEmpty(base);
    const rests = gaps.map((gap, n) => {
      const rest = part({ head: gap, base: n === 0 ? base : end });
      return { ...rest, countsAsEvidence: rest.countsAsEvidence && isKnown };
    });
    return [...emptied, ...rests.filter(rest => rest.kind !== 'not-code')].sort(
      (a, b) => a.head.from - b.head.from,
    );
  });
}

/** Lines of a node, without blank lines at its end. */
const linesBetween = (code: string, from: number, to: number): Lines => ({
  from: lineAt(code, from),
  to: lineAt(code, from + code.slice(from, to).trimEnd().length) + 1,
});

/** The lines between functions, without blank lines around them. */
function gapsIn(
  { from, to }: Lines,
  inside: readonly { readonly lines: Lines }[],
  isBlank: (line: number) => boolean,
): Lines[] {
  const starts = [from, ...inside.map(each => each.lines.to)];
  const ends = [...inside.map(each => each.lines.from), to];
  return starts.flatMap((start, n) => {
    const written = rangeOf({ from: start, to: ends[n]! }).filter(line => !isBlank(line));
    return written.length > 0 ? [{ from: written[0]!, to: written.at(-1)! + 1 }] : [];
  });
}

const EXPORT = /\b(?:export|exports|import|__all__)\b/;
/** Matches code that exports or imports everything in another file. */
const EXPORT_ALL = /\bexport\s*\*|\bimport\s*\*\s*$|\.{3}\s*(?:await\s+)?(?:require|import)\(/m;
/** Lines that only name things, such as part of a list that spans several lines. */
const NAMES_ONLY = /^[\s\p{L}\p{N}_$.,:;={}[\]'"]*$/u;

/**
 * Whether the lines export one of the names. Removing such a line only makes a function or class undefined; emptying
 * its body shows more about the tests.
 */
function exportsAny(names: ReadonlySet<string>, file: ChangedFile, { head, base }: Atom): boolean {
  const now = textIn(file.head, head);
  const added = except(wordsIn(now), wordsIn(textIn(file.base, base)));
  return (
    (EXPORT_ALL.test(now) && names.size > 0) ||
    ((EXPORT.test(now) || NAMES_ONLY.test(now)) && overlap(added, names))
  );
}
