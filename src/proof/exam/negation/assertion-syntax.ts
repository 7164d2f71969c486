/** Recognizes assertions in test files by their syntax. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { ValueChanges } from '../faults/value-changes.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';
import type { AssertionNames } from './assertion-names.ts';

/** A test file. */
export interface TestSource {
  readonly text: string;
  readonly names: AssertionNames;
  readonly values: ValueChanges | null;
}

/** Start of a regular expression for a method of an assertion library or of the object passed to a test. */
export const RECEIVER = String.raw`^(?:(?:\w+\.)?(?:assert|require)(?:\.strict)?|s?t|self)\.`;

/** Matches a statement that makes a Go test fail. */
const FAILS = /^(?:\w{1,2}|suite)(?:\.T\(\))?\.(?:Error|Fatal|Fail)/;
/** Matches a statement in JavaScript or Python that ends a test with an error, or passes an error to a callback. */
const THROWS =
  /^(?:throw\b|raise\b|assert False\b|(?:assert|expect|t|pytest|self)\.fail\(|(?:return )?\w+\(new \w*Error\()/;
const IS_ERROR = /^new \w*Error\(/;

export interface CheckedCondition {
  readonly condition: SyntaxNode;
  /** Whether the test fails if the condition is true, rather than if it is false. */
  readonly isFailure: boolean;
}

/** The condition checked by a Python `assert`, or by a statement that makes a Go test fail; null for any other node. */
export function checkedCondition(node: SyntaxNode, source: TestSource): CheckedCondition | null {
  const isFailure = node.name !== 'AssertStatement';
  const condition = isFailure ? failureCondition(node, source) : childrenOf(node)[1];
  return condition ? { condition, isFailure } : null;
}

/** The condition of an `if` statement or a case whose statements make a Go test fail; null for any other node. */
function failureCondition(node: SyntaxNode, source: TestSource): SyntaxNode | null {
  if (node.name !== 'Case') return conditionOf(node, source, /^Block$/, FAILS);
  const [, condition] = childrenOf(node);
  const { nextSibling: statement, parent: block } = node;
  const hasNoTag = block?.prevSibling?.name === 'switch';
  const fails = statement && isLike(FAILS, statement, source);
  return condition && hasNoTag && fails ? condition : null;
}

/** The condition of an `if` statement that throws, or of a `?:` expression that may create an error; otherwise null. */
export function throwCondition(node: SyntaxNode, source: TestSource): SyntaxNode | null {
  if (node.name !== 'ConditionalExpression') return conditionOf(node, source, BODY, THROWS);
  const [condition, ...results] = childrenOf(node);
  return results.some(({ from, to }) => IS_ERROR.test(source.text.slice(from, to)))
    ? (condition ?? null)
    : null;
}

/** Whether the node matches the pattern once the name at its start is replaced with the usual one. */
const isLike = (pattern: RegExp, { from, to }: SyntaxNode, { text, names }: TestSource): boolean =>
  pattern.test(names.usual(text.slice(from, to)));

const BODY = /^(?:Block|Body|ThrowStatement|ReturnStatement|ExpressionStatement)$/;

function conditionOf(
  node: SyntaxNode,
  source: TestSource,
  body: RegExp,
  statement: RegExp,
): SyntaxNode | null {
  if (node.name !== 'IfStatement') return null;
  const children = childrenOf(node);
  const at = children.findIndex(({ name }) => body.test(name));
  const [condition, block] = [children[at - 1], children[at]];
  if (!condition || !block) return null;
  if (![block, ...childrenOf(block)].some(each => isLike(statement, each, source))) return null;
  return condition.name === 'ParenthesizedExpression' ? (childrenOf(condition)[1] ?? null) : condition;
}
