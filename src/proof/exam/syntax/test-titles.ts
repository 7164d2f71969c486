/** Finds the titles of tests in test files, and recognizes tests by them. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { escapeRegExp } from '../../../formats/text/text-patterns.ts';
import type { CodeLanguage } from './languages.ts';
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
 * source. Parameterised cases and subtests belong to their test.
 */
export function hasTitle(id: string, titles: readonly string[], others: readonly string[] = []): boolean {
  const plain = id.replace(/ #\d+$/, '');
  const ends = [id, plain, plain.replace(/\[[^\]]*\]$|\/.*$/, ''), plain.replace(/\)$/, '')];
  const longest = (some: readonly string[]): number =>
    Math.max(
      0,
      ...some.filter(title => ends.some(end => endOf(title).test(end))).map(title => known(title).length),
    );
  const own = longest(titles);
  return own > 0 && own >= longest(others);
}

/**
 * Parts of a title in the source that differ from the title that a runner reports: parameters, and escaped
 * characters.
 */
const UNKNOWN =
  /\$\{(?:[^{}]|\{[^{}]*\})*\}|%[sdifjoOpc#$%]|\$[A-Za-z_#][\w.]*|\\(?:u\{\w+\}|u\w{4}|x\w{2}|[0nrtvfb]|\n)/;
/** A title with fewer fixed characters could match any test. */
const MIN_KNOWN = 3;

const partsOf = (title: string): string[] =>
  title
    .trim()
    .split(UNKNOWN)
    .map(part => part.replace(/\\(.)/g, '$1'));
const known = (title: string): string => partsOf(title).join('');

function endOf(title: string): RegExp {
  const parts = partsOf(title);
  if (parts.length > 1 && known(title).trim().length < MIN_KNOWN) return /^(?!)/;
  const literal = (part: string) => escapeRegExp(part).replace(/\s+/g, '\\s+');
  return new RegExp(`${parts.map(literal).join('.*')}$`);
}

const TEST = /^(?:test|it|tape|s?t\.test|Deno\.test)(?:\.\w+)*?(?:\.(?:each|for)\b.*)?$/s;

/** Titles of the test (in Go, of the function) that contains a node. */
export const titlesAround = (node: SyntaxNode, text: string): string[] =>
  withAncestors(node).flatMap(above => titleAt(above, text) ?? []);

/** The title or name of a test; null if the node is not a test. */
export function titleAt(node: SyntaxNode, text: string): string | null {
  const [first, second] = childrenOf(node);
  if (!first || !second) return null;
  if (node.name === 'CallExpression' && TEST.test(text.slice(first.from, first.to))) {
    const title = childrenOf(second)[1];
    return title ? writtenTitle(title, text) : null;
  }
  const name = text.slice(second.from, second.to);
  return /^Function(?:Definition|Decl)$/.test(node.name) && /^test/i.test(name) ? name : null;
}

/** Stands for a part of a title that is not a literal, like a parameter. */
const UNWRITTEN = `$\{}`;

/** The ids of a test in tape, which reports each assertion as `title > message`. */
export const titleOfAssertions = (title: string): string => `${title} > ${UNWRITTEN}`;

/** Null if no part of the title is a literal. */
function writtenTitle(node: SyntaxNode, text: string): string | null {
  if (/^(?:String|TemplateString)$/.test(node.name)) return text.slice(node.from + 1, node.to - 1);
  if (node.name !== 'BinaryExpression') return null;
  return [node.firstChild!, node.lastChild!].map(part => writtenTitle(part, text) ?? UNWRITTEN).join('');
}
