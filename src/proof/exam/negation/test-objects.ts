/** Finds the names that a test file gives to the object that a test receives, such as `t`. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { titleAt } from '../syntax/test-titles.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';

export function testObjectsIn(tree: Tree, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  tree.iterate({
    enter({ node }) {
      for (const { from, to } of [...ofGoTest(node, text), ...ofTestFunction(node, text)])
        names.add(text.slice(from, to));
    },
  });
  return names;
}

const GO_TYPE = /^(?:\*testing\.[TBF]|testing\.TB)$/;

/** The names of a parameter in Go that has one of the types of `testing`. */
function ofGoTest(node: SyntaxNode, text: string): SyntaxNode[] {
  const type = node.name === 'Parameter' ? node.lastChild : null;
  return type && GO_TYPE.test(text.slice(type.from, type.to)) ? node.getChildren('DefName') : [];
}

/** The first parameter of the function that is passed to a test in JavaScript, unless it is a row of a table. */
function ofTestFunction(node: SyntaxNode, text: string): SyntaxNode[] {
  const [called, list] = childrenOf(node);
  if (node.name !== 'CallExpression' || !called || !list || titleAt(node, text) === null) return [];
  if (/\.(?:each|for)\b/.test(text.slice(called.from, called.to))) return [];
  const test = childrenOf(list).findLast(({ name }) => /Function/.test(name));
  const first = test?.getChild('ParamList')?.getChild('VariableDefinition');
  return first ? [first] : [];
}
