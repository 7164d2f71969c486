/**
 * Reduces test files in JavaScript and TypeScript to their imports and to tests that do nothing. If the reduced file
 * loads but the original does not, the cause is the code that was removed. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { TestFile } from '../test-files-in-known-languages.ts';
import type { CodeLanguage } from './languages.ts';
import { isGroup } from './remove-other-tests.ts';
import { titleAt } from './test-titles.ts';
import { childrenOf } from './tree-nodes.ts';

/** New texts of the test files, by path. */
export const testsWithoutBodies = (files: readonly TestFile[]): Map<string, string> =>
  new Map(
    files
      .filter(({ path }) => IS_SCRIPT.test(path))
      .map(({ path, text, language }) => [path, withoutBodies(text, language)]),
  );

const IS_SCRIPT = /\.[cm]?[jt]sx?$/;

const withoutBodies = (text: string, { grammar }: CodeLanguage): string =>
  grammar === null ? '' : importsAndTestsIn(grammar.parser.parse(text).topNode, text);

const IMPORTS = /^(?:(?:const|let|var)\b[^=]*=\s*)?(?:await\s+)?(?:require|import)\s*\(/;

const importsAndTestsIn = (block: SyntaxNode, text: string): string =>
  childrenOf(block)
    .map(statement => {
      const own = text.slice(statement.from, statement.to);
      return statement.name === 'ImportDeclaration' || IMPORTS.test(own) ? own : emptyTest(statement, text);
    })
    .filter(kept => kept !== '')
    .join('\n');

/** Empties a test, or every test in a group. Returns an empty string if the statement is neither. */
function emptyTest(statement: SyntaxNode, text: string): string {
  const expression = statement.firstChild;
  const call = expression?.name === 'AwaitExpression' ? expression.lastChild : expression;
  if (!call || (titleAt(call, text) === null && !isGroup(call, text))) return '';
  const [called, list] = childrenOf(call);
  const [, title] = childrenOf(list!);
  if (!title || !/^(?:String|TemplateString)$/.test(title.name)) return '';
  const of = (node: SyntaxNode) => text.slice(node.from, node.to);
  const body = isGroup(call, text) ? blockIn(list!) : null;
  return `${of(called!)}(${of(title)}, () => {\n${body ? importsAndTestsIn(body, text) : ''}\n});`;
}

const blockIn = (list: SyntaxNode): SyntaxNode | null =>
  childrenOf(list)
    .findLast(({ name }) => /Function/.test(name))
    ?.getChild('Block') ?? null;
