/**
 * Negates the assertions of a test file in JavaScript, TypeScript, Python or Go. A test that still passes does not
 * depend on them: the tested code may disable them, or report results itself. If a test compares with literals, these
 * are altered instead, because the tested code could disable an assertion and its opposite. Pure.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { alterExpectedValue } from './alter-expected-value.ts';
import { failureCondition, RECEIVER } from './assertion-syntax.ts';
import { childrenOf } from './hollow-functions.ts';
import type { CodeLanguage } from './languages.ts';
import { type Edit, edited } from './text-edits.ts';

export interface NegatedTests {
  readonly text: string;
  /** Titles or names of the tests in which an assertion was negated. */
  readonly titles: readonly string[];
}

/** Null if no assertion was recognized. */
export function negateAssertions(text: string, { grammar }: CodeLanguage): NegatedTests | null {
  if (grammar === null) return null;
  const assertions = assertionsIn(grammar.parser.parse(text), text);
  const altered = new Set(assertions.flatMap(({ isAltered, test }) => (isAltered ? [test] : [])));
  const chosen = assertions.filter(({ isAltered, test }) => isAltered || test === null || !altered.has(test));
  if (chosen.length === 0) return null;
  return {
    text: edited(
      text,
      chosen.flatMap(({ edits }) => edits),
    ),
    titles: [...new Set(chosen.flatMap(({ titles }) => titles))],
  };
}

interface Assertion {
  readonly edits: readonly Edit[];
  /** Its expected value is altered. */
  readonly isAltered: boolean;
  /** Where the innermost test or subtest begins that contains it; null for an assertion in a helper. */
  readonly test: number | null;
  /** Titles of the tests that contain it; none for an assertion in a helper. */
  readonly titles: readonly string[];
}

function assertionsIn(tree: Tree, text: string): Assertion[] {
  const found: Assertion[] = [];
  tree.iterate({
    enter({ node }) {
      const source = text.slice(node.from, node.to);
      // An assertion that is retried until it holds is false at first, so its negation would pass.
      if (node.name === 'CallExpression' && WAITS.test(source.slice(0, source.indexOf('(') + 1)))
        return false;
      const altered = alterExpectedValue(node, text);
      const isAltered = altered.length > 0;
      const edits = isAltered ? altered : negate(node, text);
      if (edits.length === 0) return true;
      if (isInFunction(node))
        found.push({ edits, isAltered, test: testAround(node, text), titles: titlesAround(node, text) });
      // Negating an assertion in the arguments of another one could restore the original result.
      return false;
    },
  });
  return found;
}

function testAround(node: SyntaxNode, text: string): number | null {
  for (let above: SyntaxNode | null = node; above; above = above.parent)
    if (titleAt(above, text) !== null || isGoSubtest(above, text)) return above.from;
  return null;
}

const isGoSubtest = ({ name, firstChild }: SyntaxNode, text: string): boolean =>
  name === 'CallExpr' && /\.Run$/.test(text.slice(firstChild!.from, firstChild!.to));

/** If an assertion outside all functions failed, no test in the file would run. */
function isInFunction(node: SyntaxNode): boolean {
  for (let above = node.parent; above; above = above.parent)
    if (/Function|Method|Lambda/.test(above.name)) return true;
  return false;
}

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
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(`${parts.map(literal).join('.*')}$`);
}

const WAITS = /\b(?:wait(?:For|Until)?\w*|poll|eventually|retry|until)\($/i;

function negate(node: SyntaxNode, text: string): Edit[] {
  switch (node.name) {
    case 'CallExpression':
    case 'CallExpr':
      return negateCall(node.firstChild!, text);
    case 'AssertStatement': {
      const condition = childrenOf(node)[1];
      return condition ? around(condition, 'not (', ')') : [];
    }
    case 'IfStatement': {
      const condition = failureCondition(node, text);
      return condition ? around(condition, '!(', ')') : [];
    }
    default:
      return [];
  }
}

const around = ({ from, to }: SyntaxNode, before: string, after: string): Edit[] => [
  { from, to: from, text: before },
  { from: to, to, text: after },
];

function negateCall(callee: SyntaxNode, text: string): Edit[] {
  const called = text.slice(callee.from, callee.to);
  const { to } = callee;
  // Without the expectation, the exception ends the test.
  if (RAISES.test(called) && callee.parent?.parent?.name === 'WithStatement')
    return [{ from: callee.from, to: callee.parent.to, text: '__import__("contextlib").nullcontext()' }];
  if (/^(?:\w+\.)*assert(?:\.strict)?(?:\.ok)?$/.test(called))
    return [{ from: callee.from, to, text: `void (value => ${called}(!value))` }];
  const name = /\w+$/.exec(called)?.[0] ?? '';
  const from = to - name.length;
  if (/^expect\b/.test(called) && !/\.not\b/.test(called) && !WAITS.test(`${/^[\w.]*/.exec(called)![0]}(`)) {
    if (/^to[A-Z]/.test(name)) return [{ from, to: from, text: 'not.' }];
    const chai = called.lastIndexOf(').to.');
    if (chai > 0) return [{ from: callee.from + chai + 4, to: callee.from + chai + 4, text: '.not' }];
  }
  if (!METHOD.test(called) || REPORTS.test(called)) return [];
  const ofTest = /^s?t\./.test(called) ? (imports('ava', text) ? IN_AVA : IN_TAPE) : OPPOSITES;
  const opposite = ofTest.get(name) ?? OPPOSITES.get(name);
  if (opposite === undefined) return [];
  const more = ofTest === IN_AVA && /throws/i.test(name) ? withoutExpectation(callee) : [];
  return [{ from, to, text: opposite }, ...more];
}

/** `notThrows` of AVA fails if it is given an expected error, regardless of what the function does. */
function withoutExpectation({ parent }: SyntaxNode): Edit[] {
  const [, first, ...others] = childrenOf(parent!.lastChild!);
  const end = others.at(-1);
  return first && end ? [{ from: first.to, to: end.from, text: '' }] : [];
}

/** Whether a file in JavaScript or TypeScript imports a package. */
export const imports = (name: 'ava' | 'tape', text: string): boolean =>
  new RegExp(`(?:\\bfrom|\\brequire\\()\\s*['"]${name}['"]`).test(text);

const bothWays = (pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

const RAISES = /^(?:pytest\.raises|self\.assertRaises(?:Regex)?)$/;
/** In Go, `t.Error` reports a failure whose condition is elsewhere. */
const REPORTS = /^t\.[A-Z]/;
const METHOD = new RegExp(`${RECEIVER}\\w+$`);
const OPPOSITES = bothWays([
  ['equal', 'notEqual'],
  ['strictEqual', 'notStrictEqual'],
  ['deepEqual', 'notDeepEqual'],
  ['deepStrictEqual', 'notDeepStrictEqual'],
  ['match', 'doesNotMatch'],
  ['throws', 'doesNotThrow'],
  ['rejects', 'doesNotReject'],
  ['assertEqual', 'assertNotEqual'],
  ['assertTrue', 'assertFalse'],
  ['assertIn', 'assertNotIn'],
  ['assertIs', 'assertIsNot'],
  ['assertIsNone', 'assertIsNotNone'],
  ['Equal', 'NotEqual'],
  ['True', 'False'],
  ['Nil', 'NotNil'],
  ['NoError', 'Error'],
]);
/** In other libraries, some of these names are not opposites. */
const IN_TAPE = bothWays([
  ['ok', 'notOk'],
  ['true', 'false'],
  ['is', 'isNot'],
  ['equals', 'notEquals'],
  ['same', 'notSame'],
]);
const IN_AVA = bothWays([
  ['is', 'not'],
  ['true', 'false'],
  ['truthy', 'falsy'],
  ['regex', 'notRegex'],
  ['throws', 'notThrows'],
  ['throwsAsync', 'notThrowsAsync'],
]);

const TEST = /^(?:test|it|tape|s?t\.test|Deno\.test)(?:\.\w+)*?(?:\.(?:each|for)\b.*)?$/s;

/** Titles of the test (in Go, of the function) that contains a node. */
function titlesAround(node: SyntaxNode, text: string): string[] {
  const titles: string[] = [];
  for (let above: SyntaxNode | null = node; above; above = above.parent) {
    const title = titleAt(above, text);
    if (title !== null) titles.push(title);
  }
  return titles;
}

/** The title or name of a test; null if the node is not a test. */
function titleAt(node: SyntaxNode, text: string): string | null {
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
