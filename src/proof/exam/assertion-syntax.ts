/** Recognizes assertions in test files by their form. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './hollow-functions.ts';

/** Start of a regular expression for a method of an assertion library or of the object that a test gets. */
export const RECEIVER = String.raw`^(?:(?:\w+\.)?(?:assert|require)(?:\.strict)?|s?t|self)\.`;

/** The start of a block that fails a Go test. */
const FAILS = /^\{\s*(?:t|tb|b|f|c)\.(?:Error|Fatal|Fail)/;
/** The start of a block in JavaScript or Python that ends a test with an error. */
const THROWS = /^(?:\{|:)?\s*(?:throw\b|raise\b|assert False\b|(?:assert|expect|t|pytest|self)\.fail\()/;

/** The condition of an `if` statement whose block fails a Go test; null for any other node. */
export const failureCondition = (node: SyntaxNode, text: string): SyntaxNode | null =>
  conditionOf(node, text, /^Block$/, FAILS);

/** The condition of an `if` statement that throws; null for any other node. */
export const throwCondition = (node: SyntaxNode, text: string): SyntaxNode | null =>
  conditionOf(node, text, /^(?:Block|Body|ThrowStatement|ExpressionStatement)$/, THROWS);

function conditionOf(node: SyntaxNode, text: string, body: RegExp, start: RegExp): SyntaxNode | null {
  if (node.name !== 'IfStatement') return null;
  const children = childrenOf(node);
  const at = children.findIndex(({ name }) => body.test(name));
  const [condition, block] = [children[at - 1], children[at]];
  if (!condition || !block || !start.test(text.slice(block.from, block.to))) return null;
  return condition.name === 'ParenthesizedExpression' ? (childrenOf(condition)[1] ?? null) : condition;
}
