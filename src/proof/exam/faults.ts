/** Small faults that can be planted in changed lines, at most one in each line at a time. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { ChangedFile } from './changed-code.ts';
import { computeOnce } from './compute-once.ts';
import { childrenOf, emptyReturn, hollowConstant } from './hollow-functions.ts';
import { normalizedCode, syntaxErrors } from './normalized-code.ts';
import { type Edit, edited, lineFinder } from './text-edits.ts';

export interface Fault {
  /** Counted from 0. */
  readonly line: number;
  readonly edit: Edit;
  /** Describes the change for people. */
  readonly change: string;
}

/** No faults are planted in imports, types, log calls and error messages. */
const SKIPPED =
  /^(?:Import.*|PackageClause|.*Comment|Decorator|TypeAnnotation|TypeAliasDeclaration|InterfaceDeclaration|TypeParamList|TypeArgList|TypeDef|TypeDecl|AmbientDeclaration)$/;
const LOGS =
  /^(?:await )?(?:console|log|logger|logging|debug|slog|metrics|print|fmt\.Print\w*|warnings)\b[\w.]*\(/i;
const ERROR = /^(?:new \w*Error|fmt\.Errorf|errors\.New|\w*(?:Error|Exception))\(/;

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};
const NUMBER = /^\d+(?:\.\d+)?$/;
const NOTHING = /^(?:undefined|null|None|nil|void 0|""|''|0|false)$/;

/** A line with the edits that may plant a fault in it. */
export interface FaultyLine {
  readonly line: number;
  readonly edits: readonly Edit[];
}

/** The faults for the lines that `isWanted` selects. */
export const faultsIn = (file: ChangedFile, isWanted: (line: number) => boolean): Fault[] =>
  faultyLines(file, isWanted).flatMap(each => faultAt(file, each) ?? []);

/** The lines that `isWanted` selects and that may have a fault, see `faultAt`. */
export function faultyLines(file: ChangedFile, isWanted: (line: number) => boolean): FaultyLine[] {
  const byLine = new Map<number, Edit[]>();
  const tables = new Set<number>();
  for (const { line, table, edit } of candidatesIn(file)) {
    if (!isWanted(line) || (table !== null && tables.has(table))) continue;
    if (table !== null) tables.add(table);
    byLine.set(line, [...(byLine.get(line) ?? []), edit]);
  }
  return [...byLine].map(([line, edits]) => ({ line, edits }));
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
  readonly edit: Edit;
}

/** Computed once for each file, because a file has many units, each of which selects some of its candidates. */
const candidatesIn = computeOnce(findCandidates);

function findCandidates({ head, language: { grammar } }: ChangedFile): Candidate[] {
  if (head === null || grammar === null) return [];
  const found: Candidate[] = [];
  const lineOf = lineFinder(head);
  grammar.parser.parse(head).iterate({
    enter({ node, name }) {
      const code = head.slice(node.from, node.to);
      if (SKIPPED.test(name) || LOGS.test(code) || (ERROR.test(code) && !/Statement$/.test(name)))
        return false;
      const edit = faultOf(node, head, grammar.indented);
      const table = edit && /Number|Bool/.test(name) ? tableOf(node, lineOf) : null;
      if (edit) found.push({ line: lineOf(edit.from), table, edit });
      return !/^(?:Throw|Raise)Statement$/.test(name);
    },
  });
  return found;
}

const MAX_SHOWN_CHARS = 60;
function changeOf(code: string, { from, to, text }: Edit): string {
  const short = (of: string) =>
    (of.length > MAX_SHOWN_CHARS ? `${of.slice(0, MAX_SHOWN_CHARS)}…` : of).replace(/\s+/g, ' ').trim();
  return from === to ? `added \`${short(text)}\`` : `\`${short(code.slice(from, to))}\` → \`${short(text)}\``;
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

function faultOf(node: SyntaxNode, code: string, indented: boolean): Edit | null {
  const own = code.slice(node.from, node.to);
  const replaced = ({ from, to }: { from: number; to: number }, text: string): Edit => ({ from, to, text });
  const never = (condition: SyntaxNode | null): Edit | null => {
    if (condition === null || /Decl|Assignment|Let/.test(condition.name)) return null;
    const inner = /^Parenthesized/.test(condition.name)
      ? { from: condition.from + 1, to: condition.to - 1 }
      : condition;
    return replaced(inner, `(${code.slice(inner.from, inner.to)}) ${indented ? 'and False' : '&& false'}`);
  };
  const children = childrenOf(node);
  const after = (word: string) => children[children.findIndex(({ name }) => name === word) + 1] ?? null;
  switch (node.name) {
    case 'IfStatement': {
      const first = after('if');
      // In Go, a statement may come before the condition.
      const block = children.findIndex(({ name }) => name === 'Block');
      return never(
        indented || /^Parenthesized/.test(first?.name ?? '') ? first : (children[block - 1] ?? null),
      );
    }
    case 'elif':
      return never(node.nextSibling);
    case 'WhileStatement':
      return never(after('while'));
    case 'ConditionalExpression':
      return never(indented ? after('if') : node.firstChild);
    case 'ReturnStatement': {
      const value = after('return');
      if (value === null || /^(?:;|⚠)$/.test(value.name) || NOTHING.test(own.replace(/^return\s*|;$/g, '')))
        return null;
      if (/Bool|Number/.test(value.name) && node.lastChild?.from === value.from) return null;
      const go = goFunctionOf(node);
      if (go) return replaced({ from: node.from, to: node.from }, `if true { ${emptyReturn(go, code)} }; `);
      const to = node.lastChild?.name === ';' ? node.lastChild.from : node.to;
      return replaced({ from: value.from, to }, indented ? 'None' : 'undefined');
    }
    case 'ArrowFunction': {
      const body = node.lastChild;
      return body === null || body.name === 'Block' ? null : replaced(body, 'undefined');
    }
    case 'ThrowStatement':
      return replaced(node, ';');
    case 'RaiseStatement':
      return replaced(node, 'pass');
    case 'AssignStatement':
      // Removing the constant would only leave its name undefined, which says nothing about its value.
      return (node.parent?.parent === null && hollowConstant(node, code)) || replaced(node, 'pass');
    case 'ExpressionStatement':
    case 'UpdateStatement':
    case 'DeleteStatement':
      return /^(?:super\(|(?:[rbuf]?["'`])|\.\.\.|(?:module\.)?exports\b)/i.test(own)
        ? null
        : replaced(node, indented ? 'pass' : ';');
    case 'ExprStatement':
    case 'Assignment':
    case 'IncDecStatement':
      return /^(?:Block|.*Case)$/.test(node.parent?.name ?? '')
        ? replaced(node, `if false { ${own} }`)
        : null;
    case 'CompareOp':
    case 'LogicOp':
    case 'ArithOp':
    case 'and':
    case 'or':
      return /^Binary/.test(node.parent?.name ?? '') && SWAPPED[own] ? replaced(node, SWAPPED[own]!) : null;
    case 'BooleanLiteral':
    case 'Boolean':
    case 'Bool':
      return SWAPPED[own] ? replaced(node, SWAPPED[own]!) : null;
    case 'Number':
      return NUMBER.test(own) ? replaced(node, String(Number(own) + 1)) : null;
    default:
      return null;
  }
}

function goFunctionOf(node: SyntaxNode): SyntaxNode | null {
  for (let above = node.parent; above; above = above.parent)
    if (/^(?:FunctionDecl|MethodDecl|FunctionLiteral)$/.test(above.name)) return above;
  return null;
}
