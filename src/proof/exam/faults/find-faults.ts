/** Finds small faults that can be planted in changed lines, at most one in each line at a time. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { ChangedFile } from '../changed-code.ts';
import { computeOnce } from '../compute-once.ts';
import { memberOf, removedMember } from '../syntax/find-members.ts';
import { normalizedCode } from '../syntax/normalized-code.ts';
import { syntaxErrors } from '../syntax/parse-code.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { lineFinder } from '../syntax/text-lines.ts';
import type { FaultEdit } from './fault-edit.ts';
import { faultsOf, reserveFault } from './fault-of-node.ts';
import { faultsInExports } from './faults-in-exports.ts';

export interface Fault {
  /** The line, counted from 0. */
  readonly line: number;
  readonly edit: FaultEdit;
  /** Describes the change for people. */
  readonly change: string;
}

/** No faults are planted in imports, types, log calls, lists of exported names or error messages. */
const SKIPPED =
  /^(?:Import.*|PackageClause|.*Comment|TypeAnnotation|TypeAliasDeclaration|InterfaceDeclaration|TypeParamList|TypeArgList|TypeDef|TypeDecl|AmbientDeclaration)$/;
const LOGS = /^(?:await )?(?:console|log|logger|logging|debug|slog|metrics|print|fmt\.Print\w*)\b[\w.]*\(/i;
/** `__all__` lists the names that a Python module exports. */
const EXPORTS = /^__all__\b/;
const ERROR = /^(?:new \w*Error|fmt\.Errorf|errors\.New|\w*(?:Error|Exception))\(/;

const isUnimportant = (name: string, code: string): boolean =>
  LOGS.test(code) || EXPORTS.test(code) || (ERROR.test(code) && !/Statement$/.test(name));

/** A line with the edits that may plant a fault in it. */
export interface FaultyLine {
  readonly line: number;
  readonly edits: readonly FaultEdit[];
}

/** The lines that `isWanted` selects and for which there are edits that may plant a fault (see `faultAt`). */
export const faultyLines = (file: ChangedFile, isWanted: (line: number) => boolean): FaultyLine[] =>
  byLine(candidatesIn(file).filter(({ line }) => isWanted(line)));

/** Like `faultyLines`, but with only one line of each long table, and without faults that are kept in reserve. */
export function sampledLines(file: ChangedFile, isWanted: (line: number) => boolean): FaultyLine[] {
  const wanted = candidatesIn(file).filter(({ line, isReserve }) => isWanted(line) && !isReserve);
  return byLine(
    wanted.filter(each => each === wanted.find(({ table }) => table === each.table) || each.table === null),
  );
}

function byLine(candidates: readonly Candidate[]): FaultyLine[] {
  const lines = new Map<number, FaultEdit[]>();
  for (const { line, edit } of candidates) lines.set(line, [...(lines.get(line) ?? []), edit]);
  return [...lines].map(([line, edits]) => ({ line, edits }));
}

/**
 * The fault for a line; null if each of its edits results in the same code or in a syntax error. Slow,
 * because it parses the file.
 */
export function faultAt(file: ChangedFile, { line, edits }: FaultyLine): Fault | null {
  const { head, language } = file;
  if (head === null) return null;
  const own = normalizedCode(head, language);
  const errors = syntaxErrors(head, language);
  // Neighbouring lines get different kinds of faults.
  const order = [...edits.slice(line % edits.length), ...edits.slice(0, line % edits.length)];
  const edit = order.find(each => {
    const text = edited(head, [each]);
    return normalizedCode(text, language) !== own && syntaxErrors(text, language) <= errors;
  });
  return edit ? { line, edit, change: changeOf(head, edit) } : null;
}

interface Candidate {
  readonly line: number;
  readonly table: number | null;
  readonly edit: FaultEdit;
  /** See `reserveFault`. */
  readonly isReserve?: true;
}

/** Computed once for each file, because a file has many units, each of which selects some of the candidates. */
const candidatesIn = computeOnce(findCandidates);

function findCandidates({ head, language: { grammar } }: ChangedFile): Candidate[] {
  if (head === null || grammar === null) return [];
  const found: Candidate[] = [];
  const keys = new Set<string>();
  /** The edits that remove a member, keyed by the position of its value. */
  const removals = new Map<string, Edit>();
  const lineOf = lineFinder(head);
  const lineIn = (edit: FaultEdit) => lineOf((edit.replaced ?? edit).from);
  grammar.parser.parse(head).iterate({
    enter({ node, name }) {
      const code = head.slice(node.from, node.to);
      for (const edit of faultsInExports(node, head, grammar))
        found.push({ line: lineOf(edit.from), table: null, edit });
      const isWhole = node.parent === null;
      if (!isWhole && (SKIPPED.test(name) || isUnimportant(name, code))) return false;
      const member = memberOf(node, head);
      if (member) {
        keys.add(placeOf(member.key));
        const removal = removedMember(node, member);
        // A fault in a shorthand member is inserted at its end.
        if (removal) removals.set(placeOf(member.value ?? { from: node.to, to: node.to }), removal);
      }
      const reserve = reserveFault(node, head, grammar);
      if (reserve) found.push({ line: lineIn(reserve), table: null, edit: reserve, isReserve: true });
      // Changing the key would show no more than removing the member.
      if (CONSTANT.test(code) && keys.has(placeOf(node))) return false;
      const table = /Number|Bool|String/.test(name) ? tableOf(node, lineOf) : null;
      for (const edit of faultsOf(node, head, grammar)) found.push({ line: lineIn(edit), table, edit });
      return !/^(?:Throw|Raise)Statement$/.test(name);
    },
  });
  return found.map(candidate => {
    const { edit } = candidate;
    const absent = edit.isExport ? undefined : removals.get(placeOf(edit));
    return absent ? { ...candidate, edit: { ...edit, absent } } : candidate;
  });
}

const CONSTANT = /^(?:-?[\d._]+|true|false)$/i;

const placeOf = ({ from, to }: { readonly from: number; readonly to: number }): string => `${from}-${to}`;

const MAX_SHOWN_CHARS = 60;
export function changeOf(code: string, edit: FaultEdit): string {
  const { text, shown, replaced: { from, to } = edit } = edit;
  const short = (of: string) =>
    (of.length > MAX_SHOWN_CHARS ? `${of.slice(0, MAX_SHOWN_CHARS)}…` : of).replace(/\s+/g, ' ').trim();
  return from === to
    ? `added \`${short(text)}\``
    : `\`${short(code.slice(from, to))}\` → ${shown ?? `\`${short(text)}\``}`;
}

/** A literal with more lines than this is a table. One of its values is changed as a sample. */
const TABLE = 8;

/** The start of the table that contains a literal; null if there is none. */
function tableOf(node: SyntaxNode, lineOf: (offset: number) => number): number | null {
  for (let above = node.parent; above; above = above.parent) {
    if (/^(?:Block|Body|ArrowFunction)$/.test(above.name)) return null;
    const isLong = lineOf(above.to) - lineOf(above.from) > TABLE;
    if (isLong && /^(?:Array|Object|Dictionary|Tuple|Set)Expression$|^LiteralValue$/.test(above.name))
      return above.from;
  }
  return null;
}
