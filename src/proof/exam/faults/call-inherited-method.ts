/** Makes a Python method return the result of the method that it overrides. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';

/**
 * Null unless the node is a method of a derived class with parameters that can simply be passed on. Also null for
 * `__init__` and generators.
 */
export function callInherited(node: SyntaxNode, code: string): Edit | null {
  if (node.name !== 'FunctionDefinition' || node.parent?.name !== 'Body') return null;
  const isDerived = node.parent.parent?.name === 'ClassDefinition' && node.parent.parent.getChild('ArgList');
  const [, name] = childrenOf(node);
  const body = node.getChild('Body');
  const first = body && childrenOf(body).find(child => child.name !== ':');
  const parameters = childrenOf(node.getChild('ParamList')!);
  const isPlain = name?.name === 'VariableName' && parameters.every(each => !each.name.startsWith('*'));
  const text = ({ from, to }: SyntaxNode) => code.slice(from, to);
  if (!isDerived || !isPlain || !first || text(name) === '__init__' || /\byield\b/.test(text(node)))
    return null;
  const [, ...passed] = parameters.filter(
    ({ name, prevSibling }) => name === 'VariableName' && /^[(,]$/.test(prevSibling!.name),
  );
  const indent = code.slice(code.lastIndexOf('\n', first.from - 1) + 1, first.from);
  const separator = indent.trim() === '' ? `\n${indent}` : '; ';
  const call = `return super().${text(name)}(${passed.map(text).join(', ')})`;
  return { from: first.from, to: first.from, text: `${call}${separator}` };
}
