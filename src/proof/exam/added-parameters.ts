/** Recognizes changed lines that only add parameters to functions. Pure. */
import type { Tree } from '@lezer/common';
import type { Atom, ChangedFile } from './changed-code.ts';
import { except, wordsIn } from './syntax/identifiers.ts';
import { linesOf } from './syntax/text-edits.ts';

/** The words declare a field of the object, on which other code may depend. */
const FIELD = /\b(?:public|private|protected|readonly)\b/;

/**
 * Without such a line the function works as before, until its body uses the parameter. A test that notices only that
 * the parameter is missing checks its existence, not what it does.
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

/** The lines of an atom, divided into text in lists of parameters and other text, without white space. */
function split(tree: Tree, code: string, { from, to }: Atom['head']): { parameters: string; others: string } {
  const lines = linesOf(code);
  const start = lines.slice(0, from).join('').length;
  const end = start + lines.slice(from, to).join('').length;
  let parameters = '';
  let others = '';
  let at = start;
  tree.iterate({
    from: start,
    to: end,
    enter({ name, from: first, to: last }) {
      if (!/^(?:ParamList|Parameters)$/.test(name)) return true;
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
