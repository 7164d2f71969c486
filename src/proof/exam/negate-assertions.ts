/**
 * Makes the assertions of a test file say the opposite, in JavaScript, TypeScript, Python and Go. A test that still
 * passes does not depend on them: the tested code disables them, or reports results itself. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { type Edit, edited } from './edits.ts';
import { childrenOf } from './functions.ts';
import type { Language } from './languages.ts';

export interface NegatedTests {
  readonly text: string;
  /** Titles or names of the tests in which an assertion was negated. */
  readonly titles: readonly string[];
}

/** Null: no assertion of a named test was recognised. */
export function negateAssertions(text: string, { grammar }: Language): NegatedTests | null {
  if (grammar === null) return null;
  const edits: Edit[] = [];
  const titles = new Set<string>();
  grammar.parser.parse(text).iterate({
    enter({ node }) {
      const source = text.slice(node.from, node.to);
      // Until it holds, an assertion that is awaited says the opposite anyway.
      if (node.name === 'CallExpression' && WAITS.test(source.slice(0, source.indexOf('(') + 1)))
        return false;
      const negated = negate(node, text);
      if (negated.length === 0) return true;
      edits.push(...negated);
      for (const title of titlesAround(node, text)) titles.add(title);
      // To negate an assertion in the arguments of another one could give the same result as before.
      return false;
    },
  });
  return titles.size === 0 ? null : { text: edited(text, edits), titles: [...titles] };
}

/** Whether a test, by its id, has one of the titles. Parameters and subtests belong to it. */
export const hasTitle = (id: string, titles: readonly string[]): boolean =>
  titles.some(title => id.endsWith(title) || id.replace(/\[[^\]]*\]$|\/.*$/, '').endsWith(title));

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
      const children = childrenOf(node);
      const at = children.findIndex(({ name }) => name === 'Block');
      const [condition, block] = [children[at - 1], children[at]];
      return condition && block && FAILS.test(text.slice(block.from, block.to))
        ? around(condition, '!(', ')')
        : [];
    }
    default:
      return [];
  }
}

/** The start of a block that fails a Go test. */
const FAILS = /^\{\s*t\.(?:Error|Fatal|Fail)/;

const around = ({ from, to }: SyntaxNode, before: string, after: string): Edit[] => [
  { from, to: from, text: before },
  { from: to, to, text: after },
];

function negateCall(callee: SyntaxNode, text: string): Edit[] {
  const called = text.slice(callee.from, callee.to);
  const { to } = callee;
  if (/^(?:\w+\.)*assert(?:\.strict)?(?:\.ok)?$/.test(called))
    return [{ from: callee.from, to, text: `void (value => ${called}(!value))` }];
  const name = /\w+$/.exec(called)?.[0] ?? '';
  const from = to - name.length;
  if (/^expect\b/.test(called) && !/\.not\b/.test(called) && !WAITS.test(`${/^[\w.]*/.exec(called)![0]}(`)) {
    if (/^to[A-Z]/.test(name)) return [{ from, to: from, text: 'not.' }];
    const chai = called.lastIndexOf(').to.');
    if (chai > 0) return [{ from: callee.from + chai + 4, to: callee.from + chai + 4, text: '.not' }];
  }
  const opposite = RECEIVER.test(called) ? OPPOSITES.get(name) : undefined;
  return opposite === undefined ? [] : [{ from, to, text: opposite }];
}

const RECEIVER = /^(?:(?:\w+\.)?(?:assert|require)(?:\.strict)?|t|self)\.\w+$/;
const OPPOSITES = new Map(
  [
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
  ].flatMap(([one, other]) => [
    [one!, other!],
    [other!, one!],
  ]),
);

const TEST = /^(?:test|it|t\.test|Deno\.test)(?:\.\w+)*$/;

/** Titles of the test (in Go, of the function) that contains a node. */
function titlesAround(node: SyntaxNode, text: string): string[] {
  const titles: string[] = [];
  for (let above: SyntaxNode | null = node; above; above = above.parent) {
    const [first, second] = childrenOf(above);
    if (above.name === 'CallExpression' && first && second && TEST.test(text.slice(first.from, first.to))) {
      const title = childrenOf(second)[1];
      if (title && /^(?:String|TemplateString)$/.test(title.name))
        titles.push(text.slice(title.from + 1, title.to - 1));
    }
    if (/^Function(?:Definition|Decl)$/.test(above.name) && second) {
      const name = text.slice(second.from, second.to);
      if (/^test/i.test(name)) titles.push(name);
    }
  }
  return titles;
}
