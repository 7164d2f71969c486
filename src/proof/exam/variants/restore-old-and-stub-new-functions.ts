/**
 * Builds a variant of the result in which the changed functions have the bodies that they have on base and the new
 * functions do nothing. A test that passes there needs the new names, but not the new behaviour of existing functions.
 * If it fails when a changed line in such a function is broken, it only needs what the function did before. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Atom, Change, ChangedFile } from '../changed-code.ts';
import { type FunctionNode, functionsIn, resultTypesOf } from '../faults/empty-declarations.ts';
import { normalizedCode } from '../syntax/normalized-code.ts';
import { syntaxErrors } from '../syntax/parse-code.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { isIn, type Lines, lineFinder, type Offsets } from '../syntax/text-lines.ts';
import type { Variant } from './variant.ts';

export interface StubbedResult extends Variant {
  /** Where the bodies of changed functions are in the files of the result, keyed by path. */
  readonly changedBodies: ReadonlyMap<string, readonly Offsets[]>;
}

/** Null if no body can be restored, or if the variant has the same code as base. */
export function stubNewFunctions({ code }: Change): StubbedResult | null {
  const files = code.flatMap(file => {
    const functions = functionEdits(file);
    const text = edited(
      file.head ?? '',
      [...functions.restored, ...functions.emptied].map(({ edit }) => edit),
    );
    const isSafe = syntaxErrors(text, file.language) <= syntaxErrors(file.head ?? '', file.language);
    return file.head !== null && isSafe ? [{ file, text, ...functions }] : [];
  });
  const isAsOnBase = files.every(
    ({ file, text }) =>
      normalizedCode(text, file.language) === normalizedCode(file.base ?? '', file.language),
  );
  if (isAsOnBase || files.every(({ restored }) => restored.length === 0)) return null;
  return {
    of: 'head',
    edits: new Map(files.map(({ file, text }) => [file.path, Buffer.from(text)])),
    changedBodies: new Map(files.map(({ file, restored }) => [file.path, restored.map(({ body }) => body)])),
  };
}

interface FunctionEdit {
  readonly body: Offsets;
  readonly edit: Edit;
}

/** The edits of the result that restore the bodies of changed functions and empty new functions. */
function functionEdits({ head, base, language, atoms }: ChangedFile) {
  const restored: FunctionEdit[] = [];
  const emptied: FunctionEdit[] = [];
  if (head === null || language.grammar === null) return { restored, emptied };
  const { parser } = language.grammar;
  const now = functionsIn(parser.parse(head), head);
  const before = functionsIn(parser.parse(base ?? ''), base ?? '');
  const lineOnHead = lineFinder(head);
  const lineOnBase = lineFinder(base ?? '');
  const countNamed = (functions: readonly FunctionNode[], name: string | null) =>
    functions.filter(each => each.name === name).length;
  const matched = new Set<FunctionNode>();
  for (const each of now) {
    const { name, node } = each;
    const body = bodyOf(node);
    if (body === null) continue;
    const lines = baseLines(atoms, lineOnHead(node.from));
    const others = before.filter(other => other.name === name && !matched.has(other));
    const isOnlyOne = name !== null && countNamed(before, name) === 1 && countNamed(now, name) === 1;
    const old = others.find(other => isIn(lineOnBase(other.node.from), lines) || isOnlyOne);
    const oldBody = old && bodyOf(old.node);
    // An added function may have the same name as an old one in another class.
    const isNew = others.length === 0 || lines.from === lines.to;
    if (oldBody) {
      matched.add(old);
      const text = base!.slice(oldBody.from, oldBody.to);
      if (text !== head.slice(body.from, body.to))
        restored.push({ body, edit: withBody(node, body, text, head) });
    } else if (each.emptied && isNew && !CONSTRUCTOR.test(name ?? '')) {
      emptied.push({ body, edit: each.emptied });
    }
  }
  return { restored, emptied };
}

/** Without its constructor, nothing in a new class could be called. */
const CONSTRUCTOR = /^(?:constructor|__init__)$/;

/** The lines of base that a line of the result replaces, or the same line of base if the line is not changed. */
function baseLines(atoms: readonly Atom[], line: number): Lines {
  const changed = atoms.find(({ head }) => isIn(line, head));
  if (changed) return changed.base;
  const above = atoms.filter(({ head }) => head.to <= line);
  const from = above.reduce((n, { head, base }) => n - (head.to - head.from) + (base.to - base.from), line);
  return { from, to: from + 1 };
}

/** The body with its brackets, or in Python with the colon before it; null for a declaration without one. */
function bodyOf({ lastChild, name }: SyntaxNode): Offsets | null {
  const isBody = lastChild && (/^(?:Body|Block)$/.test(lastChild.name) || name === 'ArrowFunction');
  return isBody ? { from: lastChild.from, to: lastChild.to } : null;
}

/**
 * In Go, the body from the result stays as code that never runs, because the compiler refuses imports and variables
 * that are not used.
 */
function withBody(of: SyntaxNode, body: Offsets, text: string, head: string): Edit {
  if (!/Decl$/.test(of.name)) return { ...body, text };
  const leave = resultTypesOf(of, head).length === 0 ? '\nreturn }' : '}';
  const start = body.from + 1;
  return { from: start, to: start, text: ` if true ${text.replace(/\}$/, leave)};` };
}
