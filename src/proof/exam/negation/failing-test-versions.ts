/**
 * Changes a test file in JavaScript, TypeScript, Python or Go so that its assertions have to fail. A test that still
 * passes does not depend on them: the tested code may disable them, or report results itself. If a test compares with
 * literals, these are altered, because the tested code could disable both an assertion and its opposite. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { type CodeLanguage, failingText } from '../syntax/languages.ts';
import { testTitles, titleAt, titlesAround } from '../syntax/test-titles.ts';
import { type Edit, edited } from '../syntax/text-edits.ts';
import { withAncestors } from '../syntax/tree-nodes.ts';
import { alterExpectedValue } from './alter-expected-value.ts';
import { assertionNames } from './assertion-names.ts';
import { checkedCondition, type TestSource, throwCondition } from './assertion-syntax.ts';
import { failAtEnds } from './fail-at-ends.ts';
import { around, imports, negateAssertion, WAITS } from './negate-assertion.ts';
import { testObjectsIn } from './test-objects.ts';

export interface TestVersion {
  readonly text: string;
  /** Titles or names of the tests in which an assertion was changed. */
  readonly titles: readonly string[];
}

export interface TestVersions {
  /** Expected literals are altered; in tests without any, the assertions are negated. */
  readonly altered: TestVersion | null;
  /** A test fails as soon as it reaches an assertion that is changed in `altered`. */
  readonly reached: TestVersion | null;
  /**
   * All assertions without expected literals are negated, and so are conditions on which an error is thrown. Tests that
   * fail in other places, such as the body of a loop, fail where they would end.
   */
  readonly negated: TestVersion | null;
  /** The file fails when it is loaded, so tests can pass only in a forged report. */
  readonly unloadable: TestVersion | null;
}

/**
 * Changes the assertions of the tests for which `isExamined` is true, and those in helpers. A version is null if it
 * does not differ from the test file.
 */
export function failingVersions(
  text: string,
  language: CodeLanguage,
  isExamined: (title: string) => boolean = () => true,
): TestVersions {
  const { grammar } = language;
  const assertions = assertionsIn(text, language).filter(
    ({ titles }) => titles.length === 0 || titles.some(isExamined),
  );
  const isAltered = ({ altered }: Assertion) => altered.length > 0;
  const tests = new Set(assertions.filter(isAltered).map(({ test }) => test));
  const isFirst = (each: Assertion) => isAltered(each) || each.test === null || !tests.has(each.test);
  const changed = (edits: (assertion: Assertion) => readonly Edit[]): TestVersion | null => {
    const chosen = assertions.filter(each => edits(each).length > 0);
    if (chosen.length === 0) return null;
    return {
      text: edited(text, distinct(chosen.flatMap(edits))),
      titles: [...new Set(chosen.flatMap(({ titles }) => titles))],
    };
  };
  return {
    altered: changed(each => (isAltered(each) ? each.altered : isFirst(each) ? each.negated : [])),
    // In tape, an error ends all tests, but those that passed before it are still reported.
    reached: imports('tape', text) ? null : changed(each => (isFirst(each) ? each.reached : [])),
    negated: changed(each => (isAltered(each) ? [] : [...each.negated, ...each.notThrown])),
    unloadable: grammar && { text: failingText(text, grammar), titles: testTitles(text, language) },
  };
}

/** Several assertions may add the same import. */
const distinct = (edits: readonly Edit[]): Edit[] => [
  ...new Map(edits.map(edit => [JSON.stringify(edit), edit])).values(),
];

interface Assertion {
  readonly altered: readonly Edit[];
  readonly negated: readonly Edit[];
  /** Edits that make the assertion fail, whatever the values are. */
  readonly reached: readonly Edit[];
  /** Edits that negate the condition of an `if` that throws, or make the test fail where it ends without throwing. */
  readonly notThrown: readonly Edit[];
  /** Where the innermost test or subtest that contains the assertion begins; null in a helper. */
  readonly test: number | null;
  /** Titles of the tests that contain the assertion; none in a helper. */
  readonly titles: readonly string[];
}

function assertionsIn(text: string, { grammar }: CodeLanguage): Assertion[] {
  if (grammar === null) return [];
  const tree = grammar.parser.parse(text);
  const names = assertionNames(text, testObjectsIn(tree, text));
  const source: TestSource = { text, names, values: grammar.values };
  const found: Assertion[] = [];
  tree.iterate({
    enter({ node }) {
      const altered = alterExpectedValue(node, source);
      const negated = isRetried(node, text) ? [] : negateAssertion(node, source);
      const thrown = throwCondition(node, source);
      const ends = failAtEnds(node, source);
      if (altered.length + negated.length + ends.length === 0 && thrown === null) return true;
      if (isInFunction(node))
        found.push({
          altered,
          negated,
          reached: altered.length + negated.length > 0 ? failAt(node, source, grammar.indented) : [],
          notThrown: thrown ? around(thrown, grammar.indented ? 'not (' : '!(') : ends,
          test: testAround(node, text),
          titles: titlesAround(node, text),
        });
      // Negating an assertion in the arguments of another one could restore the original result.
      return altered.length + negated.length === 0;
    },
  });
  return found;
}

/** Returns no edits for a call to a Go library: a file does not compile if the call's arguments are no longer used. */
function failAt(node: SyntaxNode, source: TestSource, inPython: boolean): Edit[] {
  const instead = ({ from, to }: SyntaxNode, code: string): Edit[] => [{ from, to, text: code }];
  if (/^(?:Call|Member)Expression$/.test(node.name))
    return instead(node, inPython ? '(1 / 0)' : "void (() => { throw new Error('reached'); })()");
  const checked = checkedCondition(node, source);
  if (checked === null) return [];
  return checked.isFailure ? around(checked.condition, 'true || (') : instead(checked.condition, '1 / 0');
}

const testAround = (node: SyntaxNode, text: string): number | null =>
  withAncestors(node).find(above => titleAt(above, text) !== null || isGoSubtest(above, text))?.from ?? null;

const isGoSubtest = ({ name, firstChild }: SyntaxNode, text: string): boolean =>
  name === 'CallExpr' && /\.Run$/.test(text.slice(firstChild!.from, firstChild!.to));

/** If an assertion outside all functions failed, no test in the file would run. */
const isInFunction = (node: SyntaxNode): boolean =>
  withAncestors(node).some(({ name }) => /Function|Method|Lambda/.test(name));

const isRetried = (node: SyntaxNode, text: string): boolean =>
  withAncestors(node)
    .slice(1)
    .some(
      ({ name, firstChild }) =>
        name === 'CallExpression' && WAITS.test(`${text.slice(firstChild!.from, firstChild!.to)}(`),
    );
