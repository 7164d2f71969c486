/** Negates one assertion in JavaScript, TypeScript, Python or Go. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';
import { checkedCondition, RECEIVER, type TestSource } from './assertion-syntax.ts';

/** Returns no edits if the node is not an assertion, or if its opposite is not known. */
export function negateAssertion(node: SyntaxNode, source: TestSource): Edit[] {
  const { text } = source;
  switch (node.name) {
    case 'CallExpression':
    case 'CallExpr':
      return negateCall(node.firstChild!, source);
    case 'MemberExpression':
      // Some assertions of Chai are properties.
      return /^(?:Expression|Return)Statement$|^Await/.test(node.parent?.name ?? '')
        ? negateExpectation(node, text)
        : [];
    default: {
      const checked = checkedCondition(node, source);
      return checked ? around(checked.condition, checked.isFailure ? '!(' : 'not (') : [];
    }
  }
}

/** Inserts `before`, which ends with an opening parenthesis, and adds the closing one after the expression. */
export const around = ({ from, to }: SyntaxNode, before: string): Edit[] => [
  { from, to: from, text: before },
  { from: to, to, text: ')' },
];

/** An assertion that is retried until it holds is false at first, so its negation would pass. */
export const WAITS = /\b(?:wait(?:For|Until)?\w*|poll|eventually|retry|until)\($/i;

function negateExpectation({ from: start, to }: SyntaxNode, text: string): Edit[] {
  const called = text.slice(start, to);
  if (WAITS.test(`${/^[\w.]*/.exec(called)![0]}(`)) return [];
  const not = /^expect\b|\.should\b/.test(called) ? called.lastIndexOf('.not.') : -1;
  if (not > 0) return [{ from: start + not, to: start + not + 4, text: '' }];
  const name = /\w+$/.exec(called)?.[0] ?? '';
  const insert = (offset: number, added: string): Edit[] => [
    { from: start + offset, to: start + offset, text: added },
  ];
  if (/^expect\b/.test(called)) {
    if (/^to[A-Z]/.test(name)) return insert(called.length - name.length, 'not.');
    const chai = called.lastIndexOf(').to.');
    if (chai > 0) return insert(chai + 4, '.not');
  }
  const should = called.lastIndexOf('.should.');
  return should > 0 ? insert(should + 8, 'not.') : [];
}

function negateCall(callee: SyntaxNode, { text, names }: TestSource): Edit[] {
  const written = text.slice(callee.from, callee.to);
  const called = names.usual(written);
  const { from, to } = callee;
  if (EXCEPTION.test(called)) return expectOther(callee, called);
  if (/^(?:\w+\.)*assert(?:\.strict)?(?:\.ok)?$/.test(called))
    return [{ from, to, text: `void (value => ${written}(!value))` }];
  const expectation = negateExpectation(callee, text);
  if (expectation.length > 0) return expectation;
  const name = /\w+$/.exec(called)?.[0] ?? '';
  if (OF_MOCK.test(called)) return negateMockAssertion(callee, name);
  if (!METHOD.test(called) || REPORTS.test(called)) return [];
  const opposite = oppositeOf(called, name, text);
  if (opposite === undefined) return [];
  if (!written.includes('.')) return names.otherOfModule(written, { from, to }, opposite);
  const more = imports('ava', text) && /throws/i.test(name) ? withoutExpectation(callee) : [];
  return [{ from: to - name.length, to, text: opposite }, ...more];
}

function oppositeOf(called: string, name: string, text: string): string | undefined {
  if (imports('uvu/assert', text)) return name === 'is' ? 'is.not' : `not.${name}`;
  if (name === 'match' && imports('chai', text)) return 'notMatch';
  const ofTest = /^s?t\./.test(called) ? (imports('ava', text) ? IN_AVA : IN_TAPE) : OPPOSITES;
  return ofTest.get(name) ?? OPPOSITES.get(name);
}

/** Removes the expected error, because AVA's `notThrows` fails if it is given one, whatever the function does. */
function withoutExpectation({ parent }: SyntaxNode): Edit[] {
  const [, first, ...others] = childrenOf(parent!.lastChild!);
  const end = others.at(-1);
  return first && end ? [{ from: first.to, to: end.from, text: '' }] : [];
}

/** Expects a class of exceptions or warnings that nothing raises. */
function expectOther({ from, to, parent }: SyntaxNode, called: string): Edit[] {
  const [bracket, first] = childrenOf(parent!.lastChild!);
  if (DEPRECATED.test(called))
    return [
      { from, to, text: '__import__("pytest").warns' },
      { from: bracket!.to, to: bracket!.to, text: 'type("Other", (Warning,), {}), ' },
    ];
  const base = /warn/i.test(called) ? 'Warning' : 'Exception';
  return first && first.name !== ')'
    ? [{ from: first.from, to: first.to, text: `type("Other", (${base},), {})` }]
    : [];
}

const EXCEPTION =
  /^(?:pytest\.(?:raises|warns|deprecated_call)|recwarn\.pop|self\.assert(?:Raises|Warns)(?:Regex)?)$/;
const DEPRECATED = /\.deprecated_call$/;

const OF_MOCK = /\.assert_(?:any_(?:call|await)|(?:not_)?(?:called|awaited)\w*|has_(?:calls|awaits))$/;
function negateMockAssertion({ to, parent }: SyntaxNode, name: string): Edit[] {
  const past = name.includes('await') ? 'awaited' : 'called';
  const opposite = name.startsWith('assert_not_') ? `assert_${past}` : `assert_not_${past}`;
  return [{ from: to - name.length, to: parent!.to, text: `${opposite}()` }];
}

/** Whether a file in JavaScript or TypeScript imports a package. */
export const imports = (name: 'ava' | 'chai' | 'tape' | 'uvu/assert', text: string): boolean =>
  new RegExp(`(?:\\bfrom|\\brequire\\()\\s*['"]${name}['"]`).test(text);

const bothWays = (pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/** In Go, `t.Error` reports a failure whose condition is in another statement. */
const REPORTS = /^t\.[A-Z]/;
const METHOD = new RegExp(`${RECEIVER}\\w+$`);
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ...bothWays([
    ['equal', 'notEqual'],
    ['strictEqual', 'notStrictEqual'],
    ['deepEqual', 'notDeepEqual'],
    ['deepStrictEqual', 'notDeepStrictEqual'],
    ['match', 'doesNotMatch'],
    ['include', 'notInclude'],
    ['isTrue', 'isFalse'],
    ['isOk', 'isNotOk'],
    ['isNull', 'isNotNull'],
    ['isDefined', 'isUndefined'],
    ['throws', 'doesNotThrow'],
    ['rejects', 'doesNotReject'],
    ['called', 'notCalled'],
    ['calledWith', 'neverCalledWith'],
    ['assertEqual', 'assertNotEqual'],
    ['assertAlmostEqual', 'assertNotAlmostEqual'],
    ['assertTrue', 'assertFalse'],
    ['assertIn', 'assertNotIn'],
    ['assertIs', 'assertIsNot'],
    ['assertIsNone', 'assertIsNotNone'],
    ['assertIsInstance', 'assertNotIsInstance'],
    ['assertRegex', 'assertNotRegex'],
    ['assertGreater', 'assertLessEqual'],
    ['assertLess', 'assertGreaterEqual'],
    ['assertLogs', 'assertNoLogs'],
    ['Equal', 'NotEqual'],
    ['True', 'False'],
    ['Nil', 'NotNil'],
    ['NoError', 'Error'],
    ['Contains', 'NotContains'],
    ['Empty', 'NotEmpty'],
  ]),
  ...['List', 'Dict', 'Set', 'Tuple', 'Sequence', 'MultiLine'].map(
    type => [`assert${type}Equal`, 'assertNotEqual'] as const,
  ),
  ...['calledOnce', 'calledTwice', 'callCount'].map(name => [name, 'notCalled'] as const),
]);
/** In other libraries, some of these names are not opposites. */
const IN_TAPE = bothWays([
  ['ok', 'notOk'],
  ['true', 'false'],
  ['is', 'isNot'],
  ['equals', 'notEquals'],
  ['same', 'notSame'],
  ['strictSame', 'strictNotSame'],
]);
const IN_AVA = bothWays([
  ['is', 'not'],
  ['true', 'false'],
  ['truthy', 'falsy'],
  ['regex', 'notRegex'],
  ['throws', 'notThrows'],
  ['throwsAsync', 'notThrowsAsync'],
]);
