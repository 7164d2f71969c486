/**
 * Finds faults to plant in lines that only export what other lines or files define: each changes an exported value.
 * Without such a line, tests cannot be loaded, which shows nothing about them. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Grammar } from '../syntax/languages.ts';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';
import type { FaultEdit } from './fault-edit.ts';

/** Changes an expression. */
type Change = (expression: string) => string;

interface ExportedName {
  readonly name: string;
  edit(change: Change): Edit;
}

/** Returns one fault for each exported name: an edit that gives the name another value. */
export function faultsInExports(node: SyntaxNode, code: string, { values }: Grammar): FaultEdit[] {
  if (values === null) return [];
  return exportsOf(node, code).map(({ name, edit }) => ({
    ...edit(values.different),
    shown: `a different value of \`${name}\``,
    isExport: true as const,
  }));
}

function exportsOf(node: SyntaxNode, code: string): ExportedName[] {
  switch (node.name) {
    case 'ExportDeclaration': {
      const group = node.getChild('ExportGroup');
      if (group) return node.getChild('type') ? [] : inGroup(node, group, code);
      return node.getChild('default') ? inValue(lastPart(node), code) : [];
    }
    case 'AssignmentExpression':
      return /^(?:module\.)?exports\b/.test(code.slice(node.from, node.to))
        ? inValue(node.lastChild, code)
        : [];
    case 'ImportStatement':
      return inPythonImport(node, code);
    default:
      return [];
  }
}

const lastPart = ({ lastChild }: SyntaxNode): SyntaxNode | null =>
  lastChild?.name === ';' ? lastChild.prevSibling : lastChild;

const SPECIFIER =
  /(?<=[{,]\s*)([\p{L}_$][\p{L}\p{N}_$]*)(?:\s+as\s+([\p{L}_$][\p{L}\p{N}_$]*))?\s*(?:,|(?=\}))/gu;

/** Handles `export { name }`, with or without `from`: takes the name off the list and exports it with another value. */
function inGroup(node: SyntaxNode, group: SyntaxNode, code: string): ExportedName[] {
  const from = node.getChild('from');
  const source = from && code.slice(from.from, node.to).replace(/;\s*$/, '');
  const specifiers = [...code.slice(group.from, group.to).matchAll(SPECIFIER)];
  return specifiers.map(([own, name = '', exported = name], n): ExportedName => {
    const at = group.from + specifiers[n]!.index;
    const value = source === null ? name : `original_${exported}`;
    const imported = source === null ? '' : `import { ${name} as ${value} } ${source}; `;
    return {
      name: exported,
      edit: change => ({
        from: at,
        to: node.to,
        text:
          `${code.slice(at + own.length, node.to)}; ${imported}` +
          `const other_${exported} = ${change(value)}; export { other_${exported} as ${exported} };`,
      }),
    };
  });
}

/** Values that are skipped here, because other kinds of faults are planted in them. */
const DEFINED_HERE = /Declaration|Function|^Class|^(?:Number|BooleanLiteral|null)$/;

function inValue(value: SyntaxNode | null, code: string): ExportedName[] {
  if (value === null || DEFINED_HERE.test(value.name)) return [];
  if (value.name !== 'ObjectExpression') return [exportOf(value, code, '')];
  return value.getChildren('Property').flatMap(property => {
    const [first, ...rest] = childrenOf(property);
    if (first?.name === 'PropertyDefinition' && rest.length === 0)
      return [exportOf(first, code, `${code.slice(first.from, first.to)}: `)];
    const last = property.lastChild;
    return last === null || last.name === 'Block' || DEFINED_HERE.test(last.name)
      ? []
      : [exportOf(last, code, '')];
  });
}

/** `before`: the text to insert before the changed value. */
function exportOf({ from, to }: SyntaxNode, code: string, before: string): ExportedName {
  const own = code.slice(from, to);
  return { name: own, edit: change => ({ from, to, text: `${before}${change(own)}` }) };
}

/** Returns the names that a Python file imports with `from` but does not use. */
function inPythonImport(node: SyntaxNode, code: string): ExportedName[] {
  const parts = childrenOf(node);
  if (parts[0]?.name !== 'from') return [];
  const isName = ({ name, nextSibling }: SyntaxNode) =>
    name === 'VariableName' && nextSibling?.name !== 'as' && nextSibling?.name !== 'import';
  const used = namesUsedBeside(node, code);
  return parts.filter(isName).flatMap(({ from, to }): ExportedName[] => {
    const name = code.slice(from, to);
    const rest = code.slice(from, node.to);
    const edit = (change: Change) => ({ from, to: node.to, text: `${rest}; ${name} = ${change(name)}` });
    return used.has(name) ? [] : [{ name, edit }];
  });
}

function namesUsedBeside(statement: SyntaxNode, code: string): Set<string> {
  const used = new Set<string>();
  statement.parent?.cursor().iterate(({ name, from, to }) => {
    if (name === 'VariableName') used.add(code.slice(from, to));
    return from !== statement.from || to !== statement.to;
  });
  return used;
}
