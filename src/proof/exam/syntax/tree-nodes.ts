/** Looks above and below a node of a syntax tree. Pure. */
import type { SyntaxNode } from '@lezer/common';

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** The node and those that contain it, from the inside to the outside. */
export function withAncestors(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each: SyntaxNode | null = node; each; each = each.parent) found.push(each);
  return found;
}

/** The node and all nodes in it whose names match. */
export function nodesIn(node: SyntaxNode, names: RegExp): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate(({ name, node: each }) => {
    if (names.test(name)) found.push(each);
  });
  return found;
}
