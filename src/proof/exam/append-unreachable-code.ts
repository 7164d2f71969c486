/**
 * Keeps code in a file as code that never runs, so that a test that parses the source does not notice that the code is
 * missing. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { CodeLanguage, Grammar } from './syntax/languages.ts';
import { syntaxErrors } from './syntax/parse-code.ts';
import { type Edit, edited } from './syntax/text-edits.ts';

/**
 * Adds code to the end of a file. Returns the text unchanged if the language does not allow this, or if the grammar
 * cannot parse the code.
 */
export function withUnreachable(text: string, code: string, language: CodeLanguage): string {
  const { grammar } = language;
  if (grammar === null || grammar.unreachable === null) return text;
  const added = `${text}\n${grammar.unreachable(statements(code, grammar))}`;
  return syntaxErrors(added, language) > syntaxErrors(text, language) ? text : added;
}

/** Removes imports, namespaces, `export` and the like, so that the remaining statements are allowed inside a block. */
function statements(code: string, { parser }: Grammar): string {
  const edits: Edit[] = [];
  for (let node = parser.parse(code).topNode.firstChild; node !== null; node = node.nextSibling)
    if (ONLY_AT_TOP.test(node.name) || isFromFuture(node, code))
      edits.push({ from: node.from, to: node.to, text: '' });
    else if (node.name === 'ExportDeclaration') edits.push(withoutExport(node));
  return edited(code, edits);
}

const ONLY_AT_TOP = /^(?:Hashbang|ImportDeclaration|AmbientDeclaration|NamespaceDeclaration)$/;

/** Whether the node is an import from `__future__`, which must be the first statement of a Python file. */
const isFromFuture = ({ name, from, to }: SyntaxNode, code: string): boolean =>
  name === 'ImportStatement' && /^from\s+__future__\b/.test(code.slice(from, to));

/** Removes `export`; turns an `export default` without a name into an assignment. */
function withoutExport(node: SyntaxNode): Edit {
  const value = node.getChild('default')?.nextSibling;
  const exported = value ?? node.getChild('export')!.nextSibling!;
  const isDeclared = /Declaration$/.test(exported.name) && !ONLY_AT_TOP.test(exported.name);
  if (value && !(isDeclared && value.getChild('VariableDefinition')))
    return { from: node.from, to: value.from, text: 'exported = ' };
  return { from: node.from, to: isDeclared ? exported.from : node.to, text: '' };
}
