/**
 * Makes a test fail wherever it ends without reaching a statement that makes it fail, such as `pytest.fail(…)` in the
 * body of a loop over problems, in a case, or after a loop that returns: there is no condition that could be negated.
 * Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { titleAt } from '../syntax/test-titles.ts';
import type { Edit } from '../syntax/text-edits.ts';
import { childrenOf, withAncestors } from '../syntax/tree-nodes.ts';
import type { TestSource } from './assertion-syntax.ts';

/** Returns no edits unless the node is a statement that makes the test fail and has no condition to negate. */
export function failAtEnds(node: SyntaxNode, source: TestSource): Edit[] {
  const failure = hasCondition(node) ? null : failureAt(node, source);
  const test = failure === null || isAfterCrash(node, source.text) ? null : testOf(node, source.text);
  const body = test?.getChild('Block') ?? test?.getChild('Body');
  if (failure === null || !body) return [];
  const returns = returnsIn(body).flatMap(each => beforeReturn(each, failure));
  return [...returns, atEnd(body, failure, source.text)];
}

const FAILURES: Readonly<Record<string, RegExp>> = {
  ExprStatement: /^t\.(?:Error|Fatal|Fail)\w*(?=\()/,
  ExpressionStatement: /^(?:assert|expect|t|pytest|self)\.fail(?=\()/,
  RaiseStatement: /^raise AssertionError\b/,
  AssertStatement: /^assert False\b/,
  ThrowStatement: /^throw new \w*Error\b/,
};

/** A statement that makes the test fail in the same way at another place; null if the node does not make it fail. */
function failureAt({ name, from, to }: SyntaxNode, { text, names }: TestSource): string | null {
  const written = text.slice(from, to);
  const [found] = FAILURES[name]?.exec(names.usual(written)) ?? [];
  if (found === undefined) return null;
  if (name === 'ThrowStatement') return "throw new Error('the test has ended')";
  if (!found.includes('.')) return found;
  const object = written.slice(0, written.indexOf('('));
  return name === 'ExprStatement' ? object.replace(/\w+$/, 'Fail()') : `${object}('the test has ended')`;
}

/** Whether the statement is in the first branch of an `if`, whose condition is negated. */
function hasCondition(node: SyntaxNode): boolean {
  const branch = /^(?:Block|Body)$/.test(node.parent?.name ?? '') ? node.parent! : node;
  return branch.parent?.name === 'IfStatement' && clauseOf(branch) === 'if';
}

const FUNCTION = /Function|Method/;

/** The function of the test that contains the statement; null if it is in a helper or callback that throws. */
function testOf(node: SyntaxNode, text: string): SyntaxNode | null {
  const functions = withAncestors(node).filter(({ name }) => FUNCTION.test(name));
  if (node.name === 'ExprStatement') {
    const object = /^\w+/.exec(text.slice(node.from, node.to))![0];
    const parameter = new RegExp(`\\b${object}\\b`);
    const declares = (each: SyntaxNode) =>
      each.getChildren('Parameters').some(({ from, to }) => parameter.test(text.slice(from, to)));
    return functions.find(declares) ?? functions.at(-1) ?? null;
  }
  const isTest = (each: SyntaxNode) =>
    [each, each.parent?.parent].some(above => above && titleAt(above, text) !== null);
  const test = functions.find(isTest) ?? null;
  return node.name === 'ThrowStatement' && test?.from !== functions[0]?.from ? null : test;
}

/** Whether the statement only reports that the code threw an error. */
const isAfterCrash = (node: SyntaxNode, text: string): boolean =>
  withAncestors(node).some(
    each =>
      each.name === 'CatchClause' ||
      (each.name === 'Body' && each.parent?.name === 'TryStatement' && clauseOf(each) === 'except') ||
      (each.name === 'CallExpression' &&
        /\.catch$/.test(text.slice(each.firstChild!.from, each.firstChild!.to))),
  );

/** The keyword before a branch of an `if` or `try` statement. */
function clauseOf(branch: SyntaxNode): string {
  let before = branch.prevSibling;
  while (before && !/^(?:if|elif|try|except|else|finally)$/.test(before.name)) before = before.prevSibling;
  return before?.name ?? '';
}

/** The `return` statements of a function, except those of nested functions. */
const returnsIn = (node: SyntaxNode): SyntaxNode[] =>
  childrenOf(node).flatMap(child =>
    child.name === 'ReturnStatement' ? [child] : FUNCTION.test(child.name) ? [] : returnsIn(child),
  );

const insert = (at: number, text: string): Edit => ({ from: at, to: at, text });

function beforeReturn({ from, to, parent }: SyntaxNode, failure: string): Edit[] {
  return parent?.name === 'Body'
    ? [insert(from, `${failure}; `)]
    : [insert(from, `{ ${failure}; `), insert(to, ' }')];
}

function atEnd(body: SyntaxNode, failure: string, text: string): Edit {
  if (body.name === 'Block') return insert(body.to - 1, `\n${failure}\n`);
  const [, first] = childrenOf(body);
  const start = text.slice(text.lastIndexOf('\n', first!.from) + 1, first!.from);
  if (start.trim() !== '') return insert(body.lastChild!.to, `; ${failure}`);
  const own = text.slice(body.from, body.to).trimEnd();
  return insert(body.from + own.length, `\n${start}${failure}`);
}
