/** Finds members that lines add to objects and classes: tests may check only that a member exists. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { computeOnce } from '../compute-once.ts';
import type { Edit } from './text-edits.ts';
import { lineFinder } from './text-lines.ts';
import { childrenOf, withAncestors } from './tree-nodes.ts';

export interface Member {
  readonly name: string;
  /** The key; if a call adds all members of another object, that object. */
  readonly key: SyntaxNode;
  /** Null for a member that is written without a separate value, such as `{ a }` or a method. */
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
      return isUnpacked(node) ? null : member(firstChild, valueIn(node, ':'));
    case 'Element':
      return isGoMapEntry(node, code) ? member(node.getChild('Key'), valueIn(node, ':')) : null;
    case 'PropertyDeclaration':
      return member(node.getChild('PropertyDefinition'), valueIn(node, 'Equals'));
    case 'AssignmentExpression':
      return member(accessedName(firstChild), valueIn(node, 'Equals'));
    case 'AssignStatement': {
      const isInClass = parent?.parent?.name === 'ClassDefinition';
      return member(isInClass ? firstChild : accessedName(firstChild), valueIn(node, 'AssignOp'));
    }
    case 'CallExpression': {
      const [, ...added] = addedByCall(node, code);
      return member(added[0] ?? null, valueAt(added.at(-1)));
    }
    case 'PropertyName':
      if (parent?.name !== 'EnumBody') return null;
      return member(node, nextSibling?.name === 'Equals' ? valueAt(nextSibling.nextSibling) : null);
    default: {
      // A key in a Python dictionary.
      const isKey = parent?.name === 'DictionaryExpression' && nextSibling?.name === ':';
      const value = isKey ? nextSibling.nextSibling : null;
      return value && member(node, valueAt(value));
    }
  }
}

/**
 * The type of the Go map that contains the entry, as written in the literal or declared in the same file; null if it is
 * unknown or the literal is not a map.
 */
export function goMapType(entry: SyntaxNode, code: string): SyntaxNode | null {
  const type = entry.parent?.parent?.firstChild;
  if (type?.name !== 'TypeName') return type?.name === 'MapType' ? type : null;
  const name = code.slice(type.from, type.to);
  const declared = declaredMaps(withAncestors(entry).at(-1)!.tree!);
  return declared.find(({ from }) => code.startsWith(`${name} `, from))?.getChild('MapType') ?? null;
}

/** The map types that a Go file declares, computed once, because a table may have thousands of entries. */
const declaredMaps = computeOnce(({ topNode }: Tree): SyntaxNode[] =>
  topNode
    .getChildren('TypeDecl')
    .flatMap(declaration => (declaration.getChild('SpecList') ?? declaration).getChildren('TypeSpec'))
    .filter(declared => declared.getChild('MapType') !== null),
);

/** Whether the entry is in a map rather than in a struct, whose fields always exist and are not named by strings. */
const isGoMapEntry = (entry: SyntaxNode, code: string): boolean =>
  goMapType(entry, code) !== null || entry.getChild('Key')?.firstChild?.name === 'String';

/** Built-in functions that add members to their first argument. */
const ADDS_MEMBERS =
  /^(?:Object\.(?:assign|defineProperty|defineProperties)|Reflect\.(?:set|defineProperty)|setattr)\(/;

/** The arguments of a call that adds members: the object, a name (optional), and a value; empty for other calls. */
const addedByCall = (node: SyntaxNode, code: string): SyntaxNode[] =>
  ADDS_MEMBERS.test(code.slice(node.from, node.to))
    ? childrenOf(node.lastChild!).filter(({ name }) => !/^[(),]$|Comment$/.test(name))
    : [];

/** In `{ a }`, the name is also the value. */
export const isShorthand = ({ name, firstChild }: SyntaxNode): boolean =>
  name === 'Property' && firstChild?.nextSibling === null;

/** Whether the node is an object literal that has members and unpacks no other object. */
export function hasMembers(node: SyntaxNode, code: string): boolean {
  const parts = childrenOf(node);
  return parts.some(part => memberOf(part, code) !== null) && !parts.some(isUnpacked);
}

/** Whether the node adds the members of another object: `...a`, or the operator in `**a`. */
const isUnpacked = ({ name, firstChild }: SyntaxNode): boolean =>
  name === '**' || firstChild?.name === 'Spread';

export interface MemberInCode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The line on which the member starts, counted from 0. */
  readonly line: number;
}

export function membersIn(tree: Tree, code: string): MemberInCode[] {
  const found: MemberInCode[] = [];
  const lineOf = lineFinder(code);
  tree.iterate({
    enter({ node, from, to }) {
      const member = memberOf(node, code);
      if (member) found.push({ name: member.name, from, to, line: lineOf(from) });
    },
  });
  return found;
}

/** The edit that removes only this member; null if the code that adds it is part of a larger expression. */
export function removedMember(node: SyntaxNode, { value }: Member): Edit | null {
  const { name, from, to, parent } = node;
  if (name === 'AssignStatement') return { from, to, text: 'pass' };
  if (name === 'AssignmentExpression' || name === 'CallExpression')
    return parent?.name === 'ExpressionStatement' ? { from, to, text: '0' } : null;
  const isKey = value !== null && value.node.parent === node.parent;
  const last = isKey ? value.node : node;
  const end = last.nextSibling?.name === ',' ? last.nextSibling.to : last.to;
  return { from, to: end, text: '' };
}

const valueAt = (node: SyntaxNode | null | undefined): Value | null =>
  node ? { from: node.from, to: node.to, node } : null;

function valueIn(node: SyntaxNode, separator: string): Value | null {
  const children = childrenOf(node).filter(({ name }) => name !== ';');
  const at = children.findIndex(({ name }) => name === separator);
  const [first, last] = [children[at + 1], children.at(-1)];
  return at >= 0 && first && last ? { from: first.from, to: last.to, node: first } : null;
}

/** The name after the last dot of `a.b.c`, or the key in the brackets of `a[b]`; null for any other expression. */
function accessedName(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.name !== 'MemberExpression') return null;
  return node.lastChild?.name === ']' ? node.lastChild.prevSibling : node.lastChild;
}
