/** Finds the small faults that can be planted in a node of the syntax tree. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { alteredString } from '../negation/similar-literal.ts';
import { goMapType, hasMembers, isShorthand, memberOf } from '../syntax/find-members.ts';
import type { Grammar } from '../syntax/languages.ts';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf, nodesIn, withAncestors } from '../syntax/tree-nodes.ts';
import { callInherited } from './call-inherited-method.ts';
import { conditionFaults, RETURNS_NOTHING } from './condition-faults.ts';
import { emptiedConstant, resultTypesOf, returnedValues } from './empty-declarations.ts';
import type { FaultEdit } from './fault-edit.ts';
import { differentGoValues, withGoHelper } from './go-value-changes.ts';
import { argumentFault, indexFault, operatorFault } from './operator-faults.ts';
import { DIFFERENT, type ValueChanges } from './value-changes.ts';

const OPPOSITE: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};
const NUMBER = /^\d+(?:\.\d+)?$/;
/** Literals that get a fault of their own, so the statement around them needs none. */
const LITERAL = /Bool|Number/;
const hasFaults = (value: SyntaxNode, code: string): boolean =>
  /Bool|Number|Function|Class/.test(value.name) ||
  value.parent?.name === 'EnumBody' ||
  hasMembers(value, code);

/** The faults that can be planted in the node itself; at most one of them is planted at a time. */
export function faultsOf(node: SyntaxNode, code: string, grammar: Grammar): FaultEdit[] {
  const conditions = conditionFaults(node, code, grammar);
  const fault = faultOf(node, code, grammar);
  return fault ? [...conditions, fault] : conditions;
}

function faultOf(node: SyntaxNode, code: string, grammar: Grammar): FaultEdit | null {
  const { indented, values } = grammar;
  const own = code.slice(node.from, node.to);
  const replaced = ({ from, to }: { from: number; to: number }, text: string): Edit => ({ from, to, text });
  const children = childrenOf(node);
  switch (node.name) {
    case 'ReturnStatement':
      return RETURNS_NOTHING.test(own) ? null : faultOfReturn(node, code, values);
    case 'ArrowFunction': {
      const body = node.lastChild;
      return body === null || body.name === 'Block' || values === null
        ? null
        : differentValue({ from: body.from, to: body.to, node: body }, code, values);
    }
    case 'YieldStatement':
    case 'YieldExpression': {
      const value = children.find(({ name }) => !/^(?:yield|from|Star|;|⚠)$/.test(name));
      const to = node.lastChild?.name === ';' ? node.lastChild.from : node.to;
      return value && values ? differentValue({ from: value.from, to, node: value }, code, values) : null;
    }
    case 'WithStatement': {
      const body = node.getChild('Body');
      return body && !node.getChild('as') ? replaced({ from: node.from, to: body.from }, 'if True') : null;
    }
    case 'Decorator':
      return decoratorFault(node, own);
    case 'ThrowStatement':
      return replaced(node, ';');
    case 'RaiseStatement':
      return replaced(node, 'pass');
    case 'AssignStatement': {
      const assigned = children.findLast(({ name }) => name === 'AssignOp')?.nextSibling;
      if (!assigned || !values || (LITERAL.test(assigned.name) && assigned.to === node.to)) return null;
      return differentValue({ from: assigned.from, to: node.to, node }, code, values);
    }
    case 'VariableDeclaration': {
      const isTopLevel = /^(?:Script|ExportDeclaration)$/.test(node.parent?.name ?? '');
      const constant = isTopLevel ? emptiedConstant(node, code) : null;
      const value = children.find(({ from }) => from === constant?.from);
      const operators = value ? childrenOf(value).filter(({ name }) => name.endsWith('Op')) : [];
      const isFaulty = [value, ...operators].some(each => each && faultsOf(each, code, grammar).length > 0);
      return constant && !isFaulty && values ? differentValue({ ...constant, node }, code, values) : null;
    }
    case 'ExpressionStatement':
    case 'UpdateStatement':
    case 'DeleteStatement': {
      if (/^(?:super\(|(?:[rbuf]?["'`])|\.\.\.|(?:module\.)?exports\b)/i.test(own)) return null;
      const member = node.firstChild && memberOf(node.firstChild, code);
      if (!member?.value || !values) return replaced(node, indented ? 'pass' : ';');
      // Removing the statement may remove the member, which shows less than giving it another value.
      return hasFaults(member.value.node, code) ? null : differentValue(member.value, code, values);
    }
    case 'ExprStatement':
    case 'Assignment':
    case 'IncDecStatement':
      return /^(?:Block|.*Case)$/.test(node.parent?.name ?? '')
        ? replaced(node, `if false { ${own} }`)
        : null;
    case 'CompareOp':
    case 'LogicOp':
    case 'ArithOp':
    case 'and':
    case 'or':
      return operatorFault(node, code, grammar);
    case 'BooleanLiteral':
    case 'Boolean':
    case 'Bool':
      return OPPOSITE[own] ? replaced(node, OPPOSITE[own]!) : null;
    case 'String':
      // If the string need not be a constant, the value that contains it is changed instead.
      return isConstantValue(node, grammar) ? replaced(node, alteredString(own)) : null;
    case 'Element':
      return goEntryFault(node, code);
    case 'Number':
      return NUMBER.test(own)
        ? (indexFault(node, incremented(own), code, grammar) ?? replaced(node, incremented(own)))
        : null;
    default:
      return values && isArgument(node, code, /^ExpressionStatement$/)
        ? differentValue({ from: node.from, to: node.to, node }, code, values)
        : null;
  }
}

const RETURNS_EMPTY = /^return\s+(?:undefined|null|None|""|'')\s*;?$/;

/**
 * Replaces a returned `null` or empty string, or changes the message of a thrown error, an argument of a decorator
 * or of a call whose value is assigned or returned, the value of a member or an item of a list, or makes a method
 * return the result of the method that it overrides. Few tests check such returned values, messages and arguments, and
 * other faults are often planted in the members, items and methods, so these faults are planted only if nothing else
 * makes a test fail.
 */
export function reserveFault(node: SyntaxNode, code: string, grammar: Grammar): FaultEdit | null {
  const { values } = grammar;
  if (node.name === 'ReturnStatement' && RETURNS_EMPTY.test(code.slice(node.from, node.to)))
    return faultOfReturn(node, code, values);
  if (values === null) return null;
  const inherited = callInherited(node, code);
  if (inherited) return inherited;
  const member = memberOf(node, code);
  if (member && isShorthand(node))
    return { from: node.to, to: node.to, text: `: ${values.different(member.name)}`, shown: DIFFERENT };
  if (member && node.parent?.name === 'EnumBody' && !member.value)
    return { from: node.to, to: node.to, text: ' = -1', shown: DIFFERENT };
  if (member?.value && !/^(?:Assign|Call)/.test(node.name) && !hasFaults(member.value.node, code))
    return differentValue(member.value, code, values);
  const isListed = /^(?:Tuple|Array)Expression$/.test(node.parent?.name ?? '') && COMPUTED.test(node.name);
  if (
    isListed ||
    isArgument(node, code, /^(?:AssignStatement|VariableDeclaration|ReturnStatement|Decorator)$/)
  )
    return (
      argumentFault(node, code, grammar) ??
      differentValue({ from: node.from, to: node.to, node }, code, values)
    );
  if (!/^(?:Throw|Raise)Statement$/.test(node.name)) return null;
  const error = node.getChild('CallExpression') ?? node.getChild('NewExpression');
  const message = error?.getChild('ArgList')?.firstChild?.nextSibling;
  return message && /String/.test(message.name)
    ? differentValue({ from: message.from, to: message.to, node: message }, code, values)
    : null;
}

/** Decorators that are for tools or only set how a member is accessed: removing one says nothing about behaviour. */
const DECLARES =
  /^@(?:\w+\.)*(?:property|staticmethod|classmethod|setter|getter|deleter|(?:async)?contextmanager|overload|override|final)$/;
const CACHED_PROPERTY = /^@(?:\w+\.)*cached_property$/;

function decoratorFault({ from }: SyntaxNode, own: string): FaultEdit | null {
  // In Python, the node ends with the line break.
  const decorator = own.trimEnd();
  const edit = { from, to: from + decorator.length };
  if (DECLARES.test(decorator)) return null;
  if (CACHED_PROPERTY.test(decorator)) return { ...edit, text: '@property' };
  return { ...edit, text: '', shown: 'no decorator' };
}

/** Whether the node is an argument of a decorator or of a call, in a node whose name matches `statement`. */
function isArgument(node: SyntaxNode, code: string, statement: RegExp): boolean {
  const { name, parent, prevSibling, nextSibling } = node;
  if (parent?.name !== 'ArgList' || !/^[A-Z]/.test(name) || /Comment|Spread|Function|Lambda|Op$/.test(name))
    return false;
  // Not values: the name in a Python keyword argument (`name=value`), and unpacked arguments (`*args`, `**kwargs`).
  if (nextSibling?.name === 'AssignOp' || prevSibling?.name.startsWith('*')) return false;
  const call = parent.parent;
  // With other arguments, the call might not add the member.
  if (call && memberOf(call, code)) return false;
  const expression = call?.parent?.name === 'AwaitExpression' ? call.parent : call;
  // In Python, the arguments of a decorator are in the decorator itself, not in a call.
  const place = call?.name === 'Decorator' ? call : expression?.parent;
  return statement.test(place?.name ?? '');
}

function faultOfReturn(node: SyntaxNode, code: string, values: ValueChanges | null): FaultEdit | null {
  const returned = returnedValues(node);
  const [first] = returned;
  if (first === undefined) return null;
  if (LITERAL.test(first.name) && node.lastChild?.from === first.from) return null;
  if (values !== null) {
    const to = node.lastChild?.name === ';' ? node.lastChild.from : node.to;
    return differentValue({ from: first.from, to, node }, code, values);
  }
  const go = goFunctionOf(node);
  const to = returned.at(-1)!.to;
  return go ? goFault({ from: first.from, to }, resultTypesOf(go, code), code) : null;
}

/** Replaces the expressions with other values of these types. */
const goFault = (
  { from, to }: { readonly from: number; readonly to: number },
  types: readonly string[],
  code: string,
): FaultEdit => ({
  from,
  to,
  text: differentGoValues(code.slice(from, to), types),
  shown: DIFFERENT,
  uses: withGoHelper,
});

/** Adds 1, or halves a fraction. A floating-point number stays a floating-point number. */
function incremented(number: string): string {
  const value = Number(number);
  const text = String(number.includes('.') && value > 0 && value <= 1 ? value / 2 : value + 1);
  return number.includes('.') && !text.includes('.') ? `${text}.0` : text;
}

const COMPUTED = /^(?:Call|New|Await|Member|Binary|Conditional)Expression$/;
const EFFECT = /^(?:Call|New|Await|Yield|Assignment|Named|Postfix)Expression$/;

const mayHaveEffect = (node: SyntaxNode): boolean => nodesIn(node, EFFECT).length > 0;

/** `node` is the expression or contains it. */
function differentValue(
  { from, to, node }: { readonly from: number; readonly to: number; readonly node: SyntaxNode },
  code: string,
  values: ValueChanges,
): FaultEdit {
  const expression = code.slice(from, to);
  const instead = (text: string): Edit => ({ from, to, text });
  const edit = { ...instead(values.different(expression)), shown: DIFFERENT };
  return mayHaveEffect(node)
    ? { ...edit, dropped: { value: instead(values.dropped(expression)), code: instead(values.nothing) } }
    : edit;
}

/** Treats a Go map whose type is declared in another file as a map with values of any type, which it often is. */
function goEntryFault(entry: SyntaxNode, code: string): FaultEdit | null {
  const value = memberOf(entry, code)?.value?.node;
  if (!value || /Bool|Number|String|^LiteralValue$/.test(value.name)) return null;
  const type = goMapType(entry, code)?.lastChild;
  return goFault(value, [type ? code.slice(type.from, type.to) : 'interface{}'], code);
}

/** Whether the node is a value that must stay a constant: an entry in Go, or a member of an enum. */
const isConstantValue = ({ parent, prevSibling }: SyntaxNode, { values }: Grammar): boolean =>
  (values === null && parent?.name === 'Element') ||
  (parent?.name === 'EnumBody' && prevSibling?.name === 'Equals');

const goFunctionOf = (node: SyntaxNode): SyntaxNode | undefined =>
  withAncestors(node).find(({ name }) => /^(?:FunctionDecl|MethodDecl|FunctionLiteral)$/.test(name));
