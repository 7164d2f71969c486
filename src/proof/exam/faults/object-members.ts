/** Finds members that lines add to objects and classes: tests may check only that a member exists. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineFinder } from '../syntax/text-lines.ts';
import { childrenOf } from './empty-declarations.ts';

export interface Member {
  readonly name: string;
  /** The name stands for its value too, as in `{ a }`. */
  readonly isShorthand: boolean;
  /** Null if a value is not given. */
  readonly value: { readonly from: number; readonly to: number; readonly node: SyntaxNode } | null;
}

/** The member that a node adds, by its definition or by an assignment; null for any other node. */
export function memberOf(node: SyntaxNode, code: string): Member | null {
  const named = (name: SyntaxNode | null, separator: string): Member | null => {
    const children = childrenOf(node);
    const at = children.findIndex(each => each.name === separator);
    const first = at < 0 ? undefined : children[at + 1];
    const last = children.findLast(each => each.name !== ';');
    return (
      name && {
        name: code.slice(name.from, name.to).replace(/^['"]|['"]$/g, ''),
        isShorthand: false,
        value: first && last ? { from: first.from, to: last.to, node: first } : null,
      }
    );
  };
  const { firstChild, nextSibling, parent } = node;
  switch (node.name) {
    case 'Property':
      return firstChild && firstChild.nextSibling === null
        ? { ...named(firstChild, '')!, isShorthand: true }
        : named(firstChild, ':');
    case 'PropertyDeclaration':
      return named(node.getChild('PropertyDefinition'), 'Equals');
    case 'AssignmentExpression':
      return isAccess(firstChild) ? named(accessed(firstChild), 'Equals') : null;
    case 'AssignStatement': {
      const isInClass = parent?.parent?.name === 'ClassDefinition';
      if (isAccess(firstChild)) return named(accessed(firstChild), 'AssignOp');
      return isInClass ? named(firstChild, 'AssignOp') : null;
    }
    case 'Element':
      return node.getChild('Key') && named(firstChild, ':');
    default: {
      const value =
        parent?.name === 'DictionaryExpression' && nextSibling?.name === ':' ? nextSibling.nextSibling : null;
      return value && { ...named(node, '')!, value: { from: value.from, to: value.to, node: value } };
    }
  }
}

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

/** The name after the dot, or the expression in the brackets. */
const accessed = ({ lastChild }: SyntaxNode): SyntaxNode | null =>
  lastChild?.name === ']' ? lastChild.prevSibling : lastChild;

const isAccess = (node: SyntaxNode | null): node is SyntaxNode => node?.name === 'MemberExpression';
