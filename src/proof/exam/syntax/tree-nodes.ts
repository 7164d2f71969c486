/** Finds the ancestors and descendants of a node in a syntax tree. Pure. */
import type { SyntaxNode } from '@lezer/common';

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** The node and its ancestors, from the innermost to the outermost. */
export function withAncestors(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each: SyntaxNode | null = node; each; each = each.parent) found.push(each);
  return found;
}

/** The nodes whose names match, among the node and its descendants. */
export function nodesIn(node: SyntaxNode, names: RegExp): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate(({ name, node: each }) => {
    if (names.test(name)) found.push(each);
  });
  return found;
}
