/**
 * Removes all tests except the given ones from a test file, together with everything that only the removed tests use:
 * if names that only removed tests need stayed, the file might fail to load on base. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { withoutUnused } from '../remove-unused-declarations.ts';
import type { CodeLanguage } from './languages.ts';
import { hasTitle, testTitles, titleAt } from './test-titles.ts';
import { type Edit, edited } from './text-edits.ts';
import { childrenOf } from './tree-nodes.ts';

/** `ids` are those of the tests to keep. */
export function removeOtherTests(text: string, language: CodeLanguage, ids: readonly string[]): string {
  const titles = testTitles(text, language);
  const kept = titles.filter(title =>
    ids.some(id =>
      hasTitle(
        id,
        [title],
        titles.filter(other => other !== title),
      ),
    ),
  );
  const cuts: Edit[] = [];
  const visit = (node: SyntaxNode): void => {
    const title = titleAt(node, text);
    const isOther = title !== null && !NOT_A_TEST.test(title) && !isFixture(node, text);
    if (isOther && !titlesIn(node, text).some(each => kept.includes(each))) cuts.push(cutOf(node));
    else if (isGroup(node, text) && isOnlyOthers(node, text, kept)) cuts.push(cutOf(node));
    // A group may contain tests; everything inside a test belongs to that test.
    else if (!isOther) childrenOf(node).forEach(visit);
  };
  if (language.grammar) visit(language.grammar.parser.parse(text).topNode);
  return cuts.length > 0 ? withoutUnused(edited(text, cuts), text, language) : text;
}

/** In Go, `TestMain` runs the tests. */
const NOT_A_TEST = /^TestMain$/;

const isFixture = ({ parent }: SyntaxNode, text: string): boolean =>
  parent?.name === 'DecoratedStatement' &&
  childrenOf(parent).some(
    ({ name, from, to }) => name === 'Decorator' && /\bfixture\b/.test(text.slice(from, to)),
  );

const GROUP = /^(?:describe|suite|context)\b/;

/** Whether the node is a group of tests. A group left without tests is removed, because some test runners refuse it. */
export const isGroup = (node: SyntaxNode, text: string): boolean =>
  node.name === 'CallExpression' && GROUP.test(text.slice(node.from, node.to));

function isOnlyOthers(node: SyntaxNode, text: string, kept: readonly string[]): boolean {
  const titles = titlesIn(node, text);
  return titles.length > 0 && !titles.some(title => kept.includes(title));
}

function titlesIn(node: SyntaxNode, text: string): string[] {
  const title = titleAt(node, text);
  return [...(title === null ? [] : [title]), ...childrenOf(node).flatMap(child => titlesIn(child, text))];
}

/** Removes the whole statement; where the syntax requires code, replaces it with code that does nothing. */
function cutOf(node: SyntaxNode): Edit {
  const isPart = /^(?:ExpressionStatement|DecoratedStatement|AwaitExpression)$/.test(node.parent?.name ?? '');
  if (isPart) return cutOf(node.parent!);
  return { from: node.from, to: node.to, text: REPLACEMENTS[node.name] ?? '' };
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  FunctionDefinition: 'pass',
  DecoratedStatement: 'pass',
  ExpressionStatement: ';',
  CallExpression: 'undefined',
  AwaitExpression: 'undefined',
};
