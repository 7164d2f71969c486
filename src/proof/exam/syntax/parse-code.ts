/** Parses code and counts its syntax errors. Pure. */

import type { Tree } from '@lezer/common';
import { indentationErrors } from './indentation-errors.ts';
import type { CodeLanguage, Grammar } from './languages.ts';

/** Number of places in a text that do not match the grammar, or where the indentation is wrong. */
export const syntaxErrors = (text: string, { grammar }: CodeLanguage): number =>
  grammar === null ? 0 : parsed(text, grammar).errors;

interface Parsed {
  readonly text: string;
  readonly tree: Tree;
  readonly errors: number;
}

/** The last text parsed by each parser: a caller that needs its errors usually needs its tree, too. */
const last = new WeakMap<Grammar['parser'], Parsed>();

export function parsed(text: string, grammar: Grammar): Parsed {
  const { parser } = grammar;
  const before = last.get(parser);
  if (before?.text === text) return before;
  const tree = parser.parse(text);
  const now = { text, tree, errors: errorsIn(tree, text, grammar) };
  last.set(parser, now);
  return now;
}

function errorsIn(tree: Tree, text: string, { indented }: Grammar): number {
  let errors = 0;
  tree.iterate({
    enter({ type }) {
      errors += Number(type.isError);
    },
  });
  return errors + (indented ? indentationErrors(tree, text) : 0);
}
