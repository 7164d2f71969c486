/** Recognizes assertions in test files by their form. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './hollow-functions.ts';

/** Start of a regular expression for a method of an assertion library or of the object that a test gets. */
export const RECEIVER = String.raw`^(?:(?:\w+\.)?(?:assert|require)(?:\.strict)?|s?t|self)\.`;

/** The start of a block that fails a Go test. */
const FAILS = /^\{\s*t\.(?:Error|Fatal|Fail)/;

/** The condition of an `if` statement whose block fails a Go test; null for any other node. */
export function failureCondition(node: SyntaxNode, text: string): SyntaxNode | null {
  if (node.name !== 'IfStatement') return null;
  const children = childrenOf(node);
  const at = children.findIndex(({ name }) => name === 'Block');
  const [condition, block] = [children[at - 1], children[at]];
  return condition && block && FAILS.test(text.slice(block.from, block.to)) ? condition : null;
}
