/**
 * Finds faults that swap an operator, an index or an argument. In JavaScript and TypeScript, if the value of the faulty
 * expression is used, it has the same type as the right value. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Grammar } from '../syntax/languages.ts';
import { nodesIn, withAncestors } from '../syntax/tree-nodes.ts';
import type { FaultEdit } from './fault-edit.ts';
import { DIFFERENT } from './value-changes.ts';

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
};

/** Swaps the operator of a binary expression; null for any other node. */
export function operatorFault(node: SyntaxNode, code: string, { values }: Grammar): FaultEdit | null {
  const { parent, from, to } = node;
  const operator = code.slice(from, to);
  const other = SWAPPED[operator];
  if (!parent || !/^Binary/.test(parent.name) || other === undefined) return null;
  if (!values?.withinType || node.name === 'CompareOp' || !isValue(parent)) return { from, to, text: other };
  const operands = [code.slice(parent.from, from), code.slice(to, parent.to)] as const;
  const text = values.withinType.operation(operands, operator, other);
  return within(parent, node, text, `\`${other}\``);
}

/** Replaces the whole expression with the text, and describes it as a fault in one part. */
const within = (
  expression: SyntaxNode,
  { from, to }: SyntaxNode,
  text: string,
  shown: string,
): FaultEdit => ({ from: expression.from, to: expression.to, text, shown, replaced: { from, to } });

/** Nodes that contain an expression whose type does not matter or, in an enum, one that must be constant. */
const IGNORES_TYPE = /^(?:ExpressionStatement|IfStatement|WhileStatement|DoStatement|ForSpec|EnumBody)$/;

/** Whether the value of the expression is used, rather than only whether it is true. */
function isValue(expression: SyntaxNode): boolean {
  const { parent } = expression;
  if (parent === null || IGNORES_TYPE.test(parent.name)) return false;
  if (/^(?:Parenthesized|Unary)Expression$/.test(parent.name) || parent.getChild('LogicOp'))
    return isValue(parent);
  return parent.name !== 'ConditionalExpression' || parent.firstChild!.from !== expression.from;
}

/** Nodes in which an item of a list is read. Elsewhere it may be assigned, called or deleted. */
const READS =
  /^(?:VariableDeclaration|ReturnStatement|ArrowFunction|Property|ArgList|(?:Binary|Conditional|Parenthesized|Member|Await)Expression|Interpolation)$/;

/** Replaces an index with `other` where an item of a list is read; null for any other node. */
export function indexFault(
  node: SyntaxNode,
  other: string,
  code: string,
  { values }: Grammar,
): FaultEdit | null {
  const { parent, from, to } = node;
  if (parent?.name !== 'MemberExpression' || !values?.withinType) return null;
  const own = code.slice(parent.from, parent.to);
  if (own.includes('?.') || !READS.test(parent.parent?.name ?? '')) return null;
  const list = code.slice(parent.from, parent.firstChild!.to);
  const text = values.withinType.item(list, code.slice(from, to), other);
  return within(parent, node, text, `\`${other}\``);
}

/**
 * Replaces an argument of a call that initializes a constant or variable; null for any other node, and if the call
 * cannot be made again in another function.
 */
export function argumentFault(node: SyntaxNode, code: string, { values }: Grammar): FaultEdit | null {
  const call = node.parent?.parent;
  const [, outer] = withAncestors(call ?? node).filter(({ name }) => name !== 'AwaitExpression');
  if (call?.name !== 'CallExpression' || outer?.name !== 'VariableDeclaration' || !values?.withinType)
    return null;
  if (nodesIn(call, /^(?:Await|Yield)Expression$/).length > 0) return null;
  const { from, to } = node;
  const part = (start: number, end: number) => code.slice(start, end);
  const faulty = `${part(call.from, from)}${values.different(part(from, to))}${part(to, call.to)}`;
  const text = values.withinType.call(part(call.from, call.to), faulty);
  return within(call, node, text, DIFFERENT);
}
