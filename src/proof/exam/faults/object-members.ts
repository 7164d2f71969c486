/** Finds members that lines add to objects and classes: tests may check only that a member exists. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';
import { lineFinder } from '../syntax/text-lines.ts';
import { childrenOf } from './empty-declarations.ts';

export interface Member {
  readonly name: string;
  readonly key: SyntaxNode;
  /** Null if no value is given. */
  readonly value: Value | null;
}

interface Value {
  readonly from: number;
  readonly to: number;
  readonly node: SyntaxNode;
}

/** The member that a node adds, by its definition or by an assignment; null for any other node. */
export function memberOf(node: SyntaxNode, code: string): Member | null {
  const { firstChild, nextSibling, parent } = node;
  const member = (key: SyntaxNode | null, value: Value | null): Member | null =>
    key && { name: code.slice(key.from, key.to).replace(/^['"]|['"]$/g, ''), key, value };
  switch (node.name) {
    case 'Property':
      return member(firstChild, valueIn(node, ':'));
    case 'Element':
      return member(node.getChild('Key'), valueIn(node, ':'));
    case 'PropertyDeclaration':
      return member(node.getChild('PropertyDefinition'), valueIn(node, 'Equals'));
    case 'AssignmentExpression':
      return member(accessedName(firstChild), valueIn(node, 'Equals'));
    case 'AssignStatement': {
      const isInClass = parent?.parent?.name === 'ClassDefinition';
      return member(isInClass ? firstChild : accessedName(firstChild), valueIn(node, 'AssignOp'));
    }
    default: {
      // A key in a Python dictionary.
      const isKey = parent?.name === 'DictionaryExpression' && nextSibling?.name === ':';
      const value = isKey ? nextSibling.nextSibling : null;
      return value && member(node, { from: value.from, to: value.to, node: value });
    }
  }
}

/** In `{ a }`, the name stands for its value too. */
export const isShorthand = ({ name, firstChild }: SyntaxNode): boolean =>
  name === 'Property' && firstChild?.nextSibling === null;

/** The names of all members, with the lines in which they are, counted from 0. */
export function membersIn(tree: Tree, code: string): { readonly name: string; readonly line: number }[] {
  const found: { readonly name: string; readonly line: number }[] = [];
  const lineOf = lineFinder(code);
  tree.iterate({
    enter({ node }) {
      const member = memberOf(node, code);
      if (member) found.push({ name: member.name, line: lineOf(node.from) });
    },
  });
  return found;
}

/** The edit that removes only this member; null if it is part of a larger expression. */
export function removedMember(node: SyntaxNode, { value }: Member): Edit | null {
  const { name, from, to, parent } = node;
  if (name === 'AssignStatement') return { from, to, text: 'pass' };
  if (name === 'AssignmentExpression')
    return parent?.name === 'ExpressionStatement' ? { from, to, text: 'void 0' } : null;
  const last = value?.node.parent?.name === 'DictionaryExpression' ? value.node : node;
  const end = last.nextSibling?.name === ',' ? last.nextSibling.to : last.to;
  return { from, to: end, text: '' };
}

function valueIn(node: SyntaxNode, separator: string): Value | null {
  const children = childrenOf(node).filter(({ name }) => name !== ';');
  const at = children.findIndex(({ name }) => name === separator);
  const [first, last] = [children[at + 1], children.at(-1)];
  return at >= 0 && first && last ? { from: first.from, to: last.to, node: first } : null;
}

/** The name after the last dot of `a.b.c`, or the expression in the brackets; null for any other expression. */
function accessedName(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.name !== 'MemberExpression') return null;
  return node.lastChild?.name === ']' ? node.lastChild.prevSibling : node.lastChild;
}
