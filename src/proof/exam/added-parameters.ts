/** Recognizes changed lines that add parameters to functions. Pure. */
import type { Tree } from '@lezer/common';
import type { Atom, ChangedFile } from './changed-code.ts';
import { except } from './set-operations.ts';
import { wordsIn } from './syntax/identifiers.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { type Lines, linesOf, offsetOf, offsetsOf, textIn } from './syntax/text-lines.ts';

/** These words make a constructor parameter a field as well, and other code may depend on the field. */
const FIELD = /\b(?:public|private|protected|readonly)\b/;

/**
 * Whether the changed lines only add parameters. Until its body uses them, a function works the same without them. A
 * test that notices only that a parameter is missing checks its existence, not what it does.
 */
export function onlyAddsParameters({ head, base, language }: ChangedFile, atom: Atom): boolean {
  if (head === null || language.grammar === null) return false;
  const { parser } = language.grammar;
  const now = split(parser.parse(head), head, atom.head);
  const before = split(parser.parse(base ?? ''), base ?? '', atom.base);
  const [names, known] = [wordsIn(now.parameters), wordsIn(before.parameters)];
  return (
    now.others === before.others &&
    except(names, known).size > 0 &&
    except(known, names).size === 0 &&
    !FIELD.test(now.parameters)
  );
}

/**
 * Returns the base lines of an atom with the parameters that the result appends to a list, so that a test that notices
 * only a missing parameter does not notice that the other lines are reverted. Null if no parameters are added.
 */
export function baseWithAddedParameters({ head, base, language }: ChangedFile, atom: Atom): string | null {
  if (head === null || base === null || language.grammar === null) return null;
  const { parser } = language.grammar;
  const lists = listsIn(parser.parse(head), head, atom.head);
  const start = offsetOf(linesOf(base), atom.base.from);
  const edits = listsIn(parser.parse(base), base, atom.base).flatMap(({ of, text, from, to }): Edit[] => {
    const now = lists.find(each => each.of === of)?.text ?? '';
    return isLonger(parametersIn(now), parametersIn(text)) && !FIELD.test(now)
      ? [{ from: from - start, to: to - start, text: now }]
      : [];
  });
  return edits.length > 0 ? edited(textIn(base, atom.base), edits) : null;
}

const isLonger = (now: string, before: string): boolean =>
  before === '' ? now !== '' : now.startsWith(`${before},`);

interface ParameterList {
  /** The code before the parameter list on the same line. */
  readonly of: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const LIST = /^(?:ParamList|Parameters)$/;

/** Finds the parameter lists in some lines. In Go, results may also form such a list; lists of results are skipped. */
function listsIn(tree: Tree, code: string, lines: Lines): ParameterList[] {
  const { from: start, to: end } = offsetsOf(linesOf(code), lines);
  const found: ParameterList[] = [];
  tree.iterate({
    from: start,
    to: end,
    enter({ name, from, to, node }) {
      if (!LIST.test(name)) return;
      if (from < start || to > end || LIST.test(node.prevSibling?.name ?? '')) return;
      found.push({
        of: code.slice(code.lastIndexOf('\n', from - 1) + 1, from).trim(),
        text: code.slice(from, to),
        from,
        to,
      });
    },
  });
  return found;
}

const parametersIn = (list: string): string => list.replace(/\s+/g, '').replace(/^\(|,?\)$/g, '');

/** Splits an atom's lines into text inside parameter lists and all other text, the latter with whitespace removed. */
function split(tree: Tree, code: string, lines: Lines): { parameters: string; others: string } {
  const { from: start, to: end } = offsetsOf(linesOf(code), lines);
  let parameters = '';
  let others = '';
  let at = start;
  tree.iterate({
    from: start,
    to: end,
    enter({ name, from: first, to: last }) {
      if (!LIST.test(name)) return true;
      const [open, close] = [Math.max(first, at), Math.min(last, end)];
      if (close <= open) return false;
      others += code.slice(at, open);
      parameters += code.slice(open, close);
      at = close;
      return false;
    },
  });
  others += code.slice(at, end);
  return { parameters, others: others.replace(/\s+/g, '') };
}
