/** Finds the faults that can be planted in conditions. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { Grammar } from '../syntax/languages.ts';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';

/** Matches a return statement without a value, or with an empty one such as `null`, `''`, `0` or `false`. */
export const RETURNS_NOTHING = /^return\b\s*(?:undefined|null|None|nil|void 0|""|''|0|false)?\s*;?$/;
const LEAVES = /^(?:(?:throw|raise|break|continue)\b|(?:panic|process\.exit|sys\.exit|os\.Exit|os\._exit)\()/;

/**
 * Makes the condition of an `if` always true, because the faults in its body already show whether the tests execute the
 * body. If the body ends by leaving the loop, or the function without a result, every test would notice that it always
 * runs, so the condition is made always false instead, as it is for a loop. A conditional expression gets both faults.
 * Empty for any other node.
 */
export function conditionFaults(node: SyntaxNode, code: string, { conditions }: Grammar): Edit[] {
  const condition = conditionOf(node);
  if (!condition || /Decl|Assignment|Let/.test(condition.name)) return [];
  const [from, to] = isParenthesized(condition)
    ? [condition.from + 1, condition.to - 1]
    : [condition.from, condition.to];
  const edit = (text: string): Edit => ({ from, to, text: `(${code.slice(from, to)}) ${text}` });
  const never = edit(conditions.never);
  const always = edit(conditions.always);
  if (node.name === 'ConditionalExpression') return [never, always];
  return [node.name === 'WhileStatement' || onlyLeaves(condition.nextSibling, code) ? never : always];
}

function conditionOf(node: SyntaxNode): SyntaxNode | null {
  switch (node.name) {
    case 'IfStatement': {
      const first = node.firstChild?.nextSibling ?? null;
      // In Go, a statement may come before the condition.
      return isParenthesized(first) ? first : (node.getChild('Block')?.prevSibling ?? first);
    }
    case 'elif':
      return node.nextSibling;
    case 'WhileStatement':
      return node.firstChild?.nextSibling ?? null;
    case 'ConditionalExpression':
      // In Python, the value comes before the condition.
      return node.getChild('if')?.nextSibling ?? node.firstChild;
    default:
      return null;
  }
}

const isParenthesized = (node: SyntaxNode | null): boolean => /^Parenthesized/.test(node?.name ?? '');

function onlyLeaves(body: SyntaxNode | null, code: string): boolean {
  if (!body) return false;
  const statements = childrenOf(body).filter(({ name }) => !/^[{}:]$|Comment$/.test(name));
  const last = /^(?:Block|Body)$/.test(body.name) ? statements.at(-1) : body;
  const text = last ? code.slice(last.from, last.to) : '';
  return LEAVES.test(text) || RETURNS_NOTHING.test(text);
}
