/** Removes declarations and imports that are no longer used after other code was removed. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { CodeLanguage } from './syntax/languages.ts';
import { type Edit, edited } from './syntax/text-edits.ts';
import { childrenOf } from './syntax/tree-nodes.ts';

/** Removing one declaration may leave another one unused. */
const MAX_PASSES = 10;

/** `before` is the text from which code was removed. What was already unused there is kept: it may have an effect. */
export function withoutUnused(text: string, before: string, language: CodeLanguage): string {
  const usesBefore = usesIn(before, language);
  let now = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const uses = usesIn(now, language);
    const isUnused = (name: string, { from, to }: SyntaxNode): boolean => {
      const isUsed = (some: readonly Use[]) => some.some(use => use.name === name);
      return isUsed(usesBefore) && !isUsed(uses.filter(use => use.from < from || use.from >= to));
    };
    const edits = topLevel(now, language).flatMap(node => cutsIn(node, now, isUnused));
    if (edits.length === 0) return now;
    now = edited(now, edits);
  }
  return now;
}

interface Use {
  readonly name: string;
  readonly from: number;
}
type IsUnused = (name: string, node: SyntaxNode) => boolean;

const IMPORT = /^Import(?:Declaration|Statement|Spec)$/;
const TEXT = /String|Comment|RegExp/;
/** In Python, a name that is declared looks like one that is used. */
const DEFINITION = /^(?:DefName|VariableDefinition|PropertyDefinition)$/;

/** Names in code, except in imports and at their definitions. */
function usesIn(text: string, { grammar }: CodeLanguage): Use[] {
  const uses: Use[] = [];
  grammar?.parser.parse(text).iterate({
    enter({ name, node, from, to }) {
      if (IMPORT.test(name)) return false;
      const isShorthand = name === 'PropertyDefinition' && node.nextSibling === null;
      const isUse = node.firstChild === null && !TEXT.test(name) && (isShorthand || !DEFINITION.test(name));
      if (isUse) uses.push({ name: text.slice(from, to), from });
      return true;
    },
  });
  return uses;
}

function topLevel(text: string, { grammar }: CodeLanguage): SyntaxNode[] {
  const nodes = grammar ? childrenOf(grammar.parser.parse(text).topNode) : [];
  return nodes.flatMap(node =>
    node.name === 'ImportDecl'
      ? [node, ...childrenOf(node), ...childrenOf(node).flatMap(childrenOf)]
      : [node],
  );
}

function cutsIn(node: SyntaxNode, text: string, isUnused: IsUnused): Edit[] {
  const { from, to, name } = node;
  const cut: Edit = { from, to, text: '' };
  if (name === 'ImportDeclaration') return importOfScript(node, text, isUnused);
  if (name === 'ImportStatement') return importOfPython(node, text, isUnused);
  if (name === 'ImportSpec') return isUnused(importedByGo(node, text), node) ? [cutOfGoImport(node)] : [];
  const names = namesDeclaredBy(node, text);
  return names.length > 0 && names.every(each => isUnused(each, node)) ? [cut] : [];
}

const DECLARATION =
  /^(?:FunctionDeclaration|ClassDeclaration|FunctionDecl|VariableDeclaration|VarDecl|AssignStatement)$/;
const PATTERN = /^(?:ObjectPattern|ArrayPattern|PatternProperty|VarSpec)$/;

function namesDeclaredBy(node: SyntaxNode, text: string): string[] {
  if (!DECLARATION.test(node.name)) return [];
  const namesIn = (of: SyntaxNode): string[] =>
    childrenOf(of).flatMap(child => {
      if (PATTERN.test(child.name)) return namesIn(child);
      const isName =
        /^(?:DefName|VariableDefinition)$/.test(child.name) ||
        (node.name === 'AssignStatement' && child.name === 'VariableName' && child.from === of.from);
      return isName ? [text.slice(child.from, child.to)] : [];
    });
  return namesIn(node);
}

/** `import a, * as b, { c, d as e } from 'f'` */
function importOfScript(node: SyntaxNode, text: string, isUnused: IsUnused): Edit[] {
  const children = childrenOf(node);
  const source = children.find(({ name }) => name === 'from');
  if (!source) return [];
  const isType = children[1]?.name === 'type';
  const written = text.slice(isType ? children[1]!.to : children[0]!.to, source.from);
  const words = written.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '').trim();
  const group = /\{([^}]*)\}/.exec(words);
  const clauses = words.replace(/\{[^}]*\}/, '').split(',');
  const isKept = (part: string): boolean => part !== '' && !isUnused(/\S+$/.exec(part)?.[0] ?? '', node);
  const trimmed = (parts: readonly string[]) => parts.map(part => part.trim()).filter(part => part !== '');
  const [all, inGroup] = [trimmed(clauses), trimmed(group?.[1]?.split(',') ?? [])];
  const [left, leftInGroup] = [all.filter(isKept), inGroup.filter(isKept)];
  if (left.length + leftInGroup.length === all.length + inGroup.length) return [];
  if (left.length + leftInGroup.length === 0) return [{ from: node.from, to: node.to, text: '' }];
  const some = [...left, ...(leftInGroup.length > 0 ? [`{ ${leftInGroup.join(', ')} }`] : [])].join(', ');
  return [{ from: children[0]!.to, to: source.from, text: ` ${isType ? 'type ' : ''}${some} ` }];
}

/** `from a import (b, c as d)` and `import a.b, c as d` */
function importOfPython(node: SyntaxNode, text: string, isUnused: IsUnused): Edit[] {
  const code = text.slice(node.from, node.to).replace(/#[^\n]*/g, '');
  const [, start, list] = /^((?:from\s+\S+\s+)?import\s)([\s\S]*)$/.exec(code) ?? [];
  if (start === undefined || /^from\s+__future__/.test(start)) return [];
  const names = list!
    .replace(/[()\\]/g, ' ')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  const localName = (part: string): string => /\sas\s+(\S+)$/.exec(part)?.[1] ?? part.split('.')[0]!;
  const left = names.filter(part => !isUnused(localName(part), node));
  if (left.length === names.length) return [];
  return [{ from: node.from, to: node.to, text: left.length > 0 ? `${start}${left.join(', ')}` : '' }];
}

/** The name of a package is usually the last part of its path that is not a version. */
function importedByGo(node: SyntaxNode, text: string): string {
  const [first] = childrenOf(node);
  if (first && first.name !== 'String') return text.slice(first.from, first.to);
  const parts = text.slice(node.from, node.to).replace(/["`]/g, '').split('/');
  const last = parts.findLast(part => !/^v\d+$/.test(part)) ?? '';
  return last.replace(/\.v\d+$/, '').replace(/^go-|[.-]go$/g, '');
}

/** `import "a"` without `"a"` would be an error; `import ()` is not. */
function cutOfGoImport({ from, to, parent }: SyntaxNode): Edit {
  const start = parent?.name === 'ImportDecl' ? parent.from : from;
  return { from: start, to, text: '' };
}
