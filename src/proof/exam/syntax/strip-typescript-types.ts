/** Removes from code what TypeScript removes when it compiles: types, casts and signatures. Pure. */
import type { SyntaxNode, TreeCursor } from '@lezer/common';
import { nodesIn } from './tree-nodes.ts';

/** What remains of a node: another node, nothing (null), or the node itself (undefined). */
export type Rewrite = (at: TreeCursor) => SyntaxNode | null | undefined;

const TYPES =
  /^(?:TypeAnnotation|InterfaceDeclaration|TypeAliasDeclaration|TypeParamList|TypeArgList|AmbientDeclaration|Optional|abstract|declare|override|implements)$/;

export const withoutTypes: Rewrite = at => {
  if (TYPES.test(at.name)) return null;
  switch (at.name) {
    // In a parameter list, these words declare a field of the object.
    case 'Privacy':
    case 'readonly':
      return at.node.parent?.name === 'ParamList' ? undefined : null;
    case 'ImportDeclaration':
    case 'ExportDeclaration':
      return isTypeOnly(at.node) ? null : undefined;
    case 'FunctionDeclaration':
    case 'MethodDeclaration':
      return isSignature(at.node) ? null : undefined;
    // The types after `implements`.
    case 'TypeName':
    case 'ParameterizedType':
    case ',':
      return at.node.parent?.name === 'ClassDeclaration' ? null : undefined;
    case 'BinaryExpression':
    case 'PostfixExpression':
    case 'PrefixCast':
    case 'InstantiationExpression':
      return castValue(at.node) ?? undefined;
    case 'ParenthesizedExpression':
      return castValueInParentheses(at.node) ?? undefined;
  }
};

const isTypeOnly = (node: SyntaxNode): boolean =>
  ['type', 'TypeAliasDeclaration', 'InterfaceDeclaration', 'AmbientDeclaration'].some(name =>
    node.getChild(name),
  ) || node.getChildren('FunctionDeclaration').some(isSignature);

/** An overload, or an abstract method. */
const isSignature = (node: SyntaxNode): boolean => node.getChild('Block') === null;

/** The value of `value as T`, `value satisfies T`, `value!`, `<T>value` or `value<T>`; null for any other node. */
function castValue(node: SyntaxNode): SyntaxNode | null {
  const { firstChild, lastChild } = node;
  switch (node.name) {
    case 'BinaryExpression':
      return node.getChild('as') || node.getChild('satisfies') ? firstChild : null;
    case 'PostfixExpression':
      return lastChild?.name === 'LogicOp' ? firstChild : null;
    case 'PrefixCast':
      return lastChild;
    case 'InstantiationExpression':
      return firstChild;
  }
  return null;
}

/** The value of `(value as T)`; null for any other node, and if the parentheses end an optional chain. */
function castValueInParentheses(node: SyntaxNode): SyntaxNode | null {
  const inner = node.firstChild?.nextSibling ?? null;
  const value = inner && castValue(inner);
  return value && nodesIn(value, /^\?\.$/).length === 0 ? value : null;
}
