/** Finds the titles of tests in test files, and recognizes tests by them. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { CodeLanguage } from './languages.ts';
import { endsWithParts, knownParts, UNWRITTEN, writtenText } from './text-with-placeholders.ts';
import { childrenOf, withAncestors } from './tree-nodes.ts';

/** Titles or names of all tests. */
export function testTitles(text: string, { grammar }: CodeLanguage): string[] {
  const titles = new Set<string>();
  grammar?.parser.parse(text).iterate({
    enter({ node }) {
      const title = titleAt(node, text);
      if (title !== null) titles.add(title);
    },
  });
  return [...titles];
}

/**
 * Whether the test with this id has one of `titles` rather than one of `others`. Titles are as written in the
 * source. Parameterized cases and subtests belong to their test.
 */
export function hasTitle(id: string, titles: readonly string[], others: readonly string[] = []): boolean {
  const plain = id.replace(/ #\d+$/, '');
  const ends = [id, plain, plain.replace(/\[[^\]]*\]$|\/.*$/, ''), plain.replace(/\)$/, '')];
  const longest = (some: readonly string[]): number =>
    Math.max(
      0,
      ...some.filter(title => ends.some(end => isAtEnd(end, title))).map(title => known(title).length),
    );
  const own = longest(titles);
  return own > 0 && own >= longest(others);
}

/** A title with fewer fixed characters than this could match any test. */
const MIN_KNOWN = 3;

const known = (title: string): string => knownParts(title).join('');

function isAtEnd(id: string, title: string): boolean {
  const parts = knownParts(title);
  return (parts.length === 1 || known(title).trim().length >= MIN_KNOWN) && endsWithParts(id, parts);
}

const TEST = /^(?:test|it|tape|s?t\.test|Deno\.test)(?:\.\w+)*?(?:\.(?:each|for)\b.*)?$/s;

/** Titles or names of the tests that contain a node, innermost first. */
export const titlesAround = (node: SyntaxNode, text: string): string[] =>
  withAncestors(node).flatMap(above => titleAt(above, text) ?? []);

/** The title or name of a test; null if the node is not a test, or no part of the title is a literal. */
export function titleAt(node: SyntaxNode, text: string): string | null {
  const [first, second] = childrenOf(node);
  if (!first || !second) return null;
  if (node.name === 'CallExpression' && TEST.test(text.slice(first.from, first.to))) {
    const title = childrenOf(second)[1];
    return title ? writtenText(title, text) : null;
  }
  const name = text.slice(second.from, second.to);
  return NAMES[node.name]?.test(name) ? name : null;
}

/** Names of the functions that pytest or unittest, and `go test`, treat as tests, by the node that declares them. */
const NAMES: Readonly<Record<string, RegExp>> = {
  FunctionDefinition: /^test/i,
  FunctionDecl: /^(?:Test|Example|Fuzz|Benchmark)(?!\p{Ll})/u,
};

/** A title that matches the ids of a test in tape, which reports each assertion as `title > message`. */
export const titleOfAssertions = (title: string): string => `${title} > ${UNWRITTEN}`;
