/**
 * Alters the value that an assertion expects. The assertion then has to fail, even if the tested code manipulates
 * comparisons. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf, nodesIn } from '../syntax/tree-nodes.ts';
import { checkedCondition, RECEIVER, type TestSource } from './assertion-syntax.ts';
import { alteredNumber, alteredString } from './similar-literal.ts';

/** Returns no edits if the node is not an equality assertion, or if the value cannot be altered. */
export function alterExpectedValue(node: SyntaxNode, source: TestSource): Edit[] {
  const { text } = source;
  const compared = comparedValues(node, source);
  if (compared.length > 0 && TOLERANT.test(text.slice(node.from, node.to))) return [];
  const literal = compared.find(isLiteral);
  // Alters only the last literal: if all were altered, {6, 7} would become {7, 6}, which is equal. The first one may be
  // a key, which must be unique in Go.
  if (literal)
    return literalsIn(literal)
      .slice(-1)
      .map(each => alter(each, text));
  const [expected, actual] = compared;
  if (!source.values || !expected || !actual) return [];
  // The value that is not computed by a call is the expected one.
  const { from, to } = hasCall(expected) && !hasCall(actual) ? actual : expected;
  const written = text.slice(from, to);
  return MATCHER.test(written) ? [] : [{ from, to, text: source.values.unequal(written) }];
}

/** Matches a Python assertion that may hold for the altered value too, because it allows a difference. */
const TOLERANT = /\bapprox\(|AlmostEqual\(.*\b(?:delta|places)\s*=/s;
/** Matches an argument that is not a value but a condition, or several values. */
const MATCHER = /^\.\.\.|^\*|=>|\b(?:function|lambda)\b|\bexpect\.|\bmatch\.|\bANY\b/;

/** Returns the expected value, then the actual one, as the assertion defines its parameters; some authors swap them. */
function comparedValues(node: SyntaxNode, source: TestSource): SyntaxNode[] {
  const { text } = source;
  if (/^Call(?:Expression|Expr)$/.test(node.name)) return comparedArguments(node, source);
  const checked = checkedCondition(node, source);
  if (checked === null) return [];
  const [left, sign, right] = childrenOf(checked.condition);
  const isEquality = sign && text.slice(sign.from, sign.to) === (checked.isFailure ? '!=' : '==');
  return isEquality && left && right ? [right, left] : [];
}

const EQUAL = new RegExp(
  `${RECEIVER}(?:(?:strict|deep|deepStrict)Equal|equals?|is|like|same|strictSame|lengthOf|assert(?:\\w*)?Equal)$`,
);
/** The first argument of testify's `Equal` is the test's `t`. */
const TESTIFY = new RegExp(`${RECEIVER}Equal$`);
/** Matches assertions of `expect` and `should`. */
const EXPECT =
  /^expect\b.*\.(?:to(?:Be|(?:Strict)?Equal|HaveLength|MatchObject|HaveBeenCalled(?:Times|With))|equals?|eql)$|\.should\b.*\.(?:equals?|eql)$/s;
/** Matches assertions of mocks in Python and JavaScript, and `expect` of supertest, which also accepts a function. */
const WITH_LITERALS =
  /\)\s*\.expect$|\.assert_(?:(?:called|awaited)_(?:once_)?with|any_(?:call|await))$|\.calledWith(?:Exactly)?$/;
/** Matches assertions about arrays, such as those of numpy and pandas. */
const OF_ARRAYS = /(?:^|\.)assert_\w*(?:equal|allclose)$/;

function comparedArguments(node: SyntaxNode, { text, names }: TestSource): SyntaxNode[] {
  const called = names.usual(text.slice(node.firstChild!.from, node.firstChild!.to));
  const values = childrenOf(node.lastChild!).filter(({ name }) => !/^[(),]$/.test(name));
  const [first, second, third] = values;
  if (/\bnot\b/.test(called)) return [];
  if (EXPECT.test(called)) return present(first, node);
  if (WITH_LITERALS.test(called)) return values.filter(isLiteral);
  if (OF_ARRAYS.test(called)) return present(second, first);
  if (TESTIFY.test(called)) return present(second, third);
  return EQUAL.test(called) && !/Not/.test(called) ? present(second, first) : [];
}

const present = (...values: readonly (SyntaxNode | undefined)[]): SyntaxNode[] =>
  values.filter(value => value !== undefined);

const ALTERABLE = /^(?:String|TemplateString|Number|Bool(?:ean(?:Literal)?)?)$/;
/** If an expression contains one of these nodes, altering its literals may not change its value. */
const COMPUTED =
  /Call|New|Tagged|Function|Lambda|Interpolation|Member|Selector|Index|Binary|Conditional|Format|Comprehension/;

const literalsIn = (node: SyntaxNode): SyntaxNode[] => nodesIn(node, ALTERABLE);
const isLiteral = (node: SyntaxNode): boolean =>
  nodesIn(node, COMPUTED).length === 0 && literalsIn(node).length > 0;
const hasCall = (node: SyntaxNode): boolean => nodesIn(node, /^Call/).length > 0;

function alter({ name, from, to }: SyntaxNode, text: string): Edit {
  const written = text.slice(from, to);
  return {
    from,
    to,
    text: /String/.test(name)
      ? alteredString(written)
      : name === 'Number'
        ? alteredNumber(written)
        : (OPPOSITE[written] ?? written),
  };
}

const OPPOSITE: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};
