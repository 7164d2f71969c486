/** Finds functions and constants in a syntax tree, and empties them: only their names stay. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';
import { areGoZeroValues } from './go-value-changes.ts';

/** A function or constant. */
export interface DeclarationNode {
  readonly from: number;
  readonly to: number;
  /** The edit that empties the declaration; null for a function that has no body or whose body does nothing. */
  readonly emptied: Edit | null;
}

export interface FunctionNode extends DeclarationNode {
  /** Null for a default export or a computed name. */
  readonly name: string | null;
  readonly node: SyntaxNode;
}

const DECLARED = /^(?:FunctionDeclaration|MethodDeclaration|FunctionDefinition|FunctionDecl|MethodDecl)$/;
const EXPRESSION = /^(?:ArrowFunction|FunctionExpression)$/;
/** Parent nodes that make a function expression a declaration. Others, e.g. callbacks, are part of their statement. */
const NAMES_FUNCTION =
  /^(?:VariableDeclaration|Property|PropertyDeclaration|AssignmentExpression|ExportDeclaration)$/;

/** Finds the declared functions and methods that are not inside another function, in source order. */
export function functionsIn(tree: Tree, code: string): FunctionNode[] {
  const found: FunctionNode[] = [];
  tree.iterate({
    enter({ node, name }) {
      const isFunction =
        DECLARED.test(name) || (EXPRESSION.test(name) && NAMES_FUNCTION.test(node.parent?.name ?? ''));
      if (!isFunction) return true;
      const { from } = node.parent?.name === 'DecoratedStatement' ? node.parent : node;
      found.push({ from, to: node.to, emptied: emptiedBody(node, code), name: nameOf(node, code), node });
      return false;
    },
  });
  return found;
}

const NAME = /^(?:(?:Variable|Property)(?:Definition|Name)|DefName|FieldName)$/;

/** Returns the declared name, or the name that the function is assigned to; null if there is none. */
function nameOf(node: SyntaxNode, code: string): string | null {
  const isAssigned = EXPRESSION.test(node.name);
  const parts = isAssigned ? childrenOf(node.parent!).filter(({ to }) => to <= node.from) : childrenOf(node);
  const names = parts
    .flatMap(part => (part.name === 'MemberExpression' ? childrenOf(part) : [part]))
    .filter(({ name }) => NAME.test(name));
  const name = isAssigned ? names.at(-1) : names[0];
  return name ? code.slice(name.from, name.to) : null;
}

/** Finds the top-level constants that `emptiedConstant` can empty. */
export function constantsIn(tree: Tree, code: string): DeclarationNode[] {
  return childrenOf(tree.topNode).flatMap(node => {
    const declared = node.name === 'ExportDeclaration' ? node.getChild('VariableDeclaration') : node;
    const emptied = declared && emptiedConstant(declared, code);
    return emptied ? [{ from: node.from, to: node.to, emptied }] : [];
  });
}

const NO_VALUE = /^(?:undefined|null|None)$/;

/**
 * Returns the edit that replaces the value with `undefined` or `None`. Null unless the node declares one name with a
 * value that is neither empty nor a function; always null in Go, where the replacement would depend on the type.
 */
export function emptiedConstant(node: SyntaxNode, code: string): Edit | null {
  const names = childrenOf(node)
    .map(({ name }) => name)
    .join(' ');
  const isConstant =
    /^(?:const|let|var) VariableDefinition (?:TypeAnnotation )?Equals \w+(?: ;)?$/.test(names) ||
    /^VariableName (?:TypeDef )?AssignOp \w+$/.test(names);
  const value = node.lastChild?.name === ';' ? node.lastChild.prevSibling : node.lastChild;
  if (!isConstant || !value || EXPRESSION.test(value.name)) return null;
  const { from, to } = value;
  if (NO_VALUE.test(code.slice(from, to))) return null;
  return { from, to, text: node.name === 'AssignStatement' ? 'None' : 'undefined' };
}

function emptiedBody(node: SyntaxNode, code: string): Edit | null {
  const body = node.lastChild;
  if (body === null) return null;
  if (body.name === 'Body') return emptiedPythonBody(body, code);
  if (body.name !== 'Block')
    return node.name === 'ArrowFunction' ? { from: body.from, to: body.to, text: 'undefined' } : null;
  if (childrenOf(body).every(({ name }) => /^[{}]$|Comment$/.test(name))) return null;
  if (/Decl$/.test(node.name) && returnsGoZeroValues(node, body, code)) return null;
  const { to } = body.firstChild!;
  const leave = /Decl$/.test(node.name) ? `if true { ${leaveGo(node, code)} };` : 'return;';
  return { from: to, to, text: ` ${leave}` };
}

const NO_STATEMENT = /^(?::|PassStatement|Comment)$/;

function emptiedPythonBody(body: SyntaxNode, code: string): Edit | null {
  const statements = childrenOf(body).filter(({ name }) => !NO_STATEMENT.test(name));
  if (statements.every(each => /^(?:['"]|[rR]['"]|\.\.\.$)/.test(code.slice(each.from, each.to))))
    return null;
  const { from } = statements[0]!;
  const indent = code.slice(code.lastIndexOf('\n', from - 1) + 1, from);
  return { from, to: from, text: indent.trim() === '' ? `return\n${indent}` : 'return; ' };
}

/** The statement that returns zero values at the start of a Go function's body, where named results are still zero. */
const leaveGo = (of: SyntaxNode, code: string): string =>
  resultsOf(of).some(result => result.getChild('DefName') !== null)
    ? 'return'
    : zeroReturn(resultTypesOf(of, code));

/** Builds the statement with which a Go function returns zero values. */
const zeroReturn = (types: readonly string[]): string =>
  types.length === 0 ? 'return' : `return ${types.map(type => `*new(${type})`).join(', ')}`;

/** Whether the body of a Go function only returns zero values. */
function returnsGoZeroValues(of: SyntaxNode, body: SyntaxNode, code: string): boolean {
  const statements = childrenOf(body).filter(({ name }) => !/^[{};]$|Comment$/.test(name));
  const [statement] = statements;
  if (statements.length !== 1 || statement!.name !== 'ReturnStatement') return false;
  return areGoZeroValues(returnedValues(statement!), resultTypesOf(of, code), code);
}

/** Lists the expressions of a return statement. */
export const returnedValues = (node: SyntaxNode): SyntaxNode[] =>
  childrenOf(node).filter(({ name }) => !/^(?:return|[;,]|⚠)$/.test(name));

/** Lists the types of the results of a Go function. */
export const resultTypesOf = (of: SyntaxNode, code: string): string[] =>
  resultsOf(of).flatMap(result => {
    const { from, to } = result.name === 'Parameter' ? result.lastChild! : result;
    const count = Math.max(1, result.getChildren('DefName').length);
    return Array.from({ length: count }, () => code.slice(from, to));
  });

/** Finds the result type of a Go function, or the entries of its result list, each a type with optional names. */
function resultsOf(of: SyntaxNode): SyntaxNode[] {
  const children = childrenOf(of);
  const isNamed = children.findIndex(({ name }) => /^(?:DefName|FieldName)$/.test(name));
  const parameters = children.findIndex(({ name }, n) => n > isNamed && name === 'Parameters');
  const result = children[parameters + 1];
  if (result === undefined || result.name === 'Block') return [];
  return result.name === 'Parameters' ? result.getChildren('Parameter') : [result];
}
