/** Finds indentation errors in Python code; the parser does not report them. Pure. */
import type { SyntaxNode, Tree } from '@lezer/common';

/** Number of statements that are indented differently from the others in their block. */
export function indentationErrors(tree: Tree, text: string): number {
  let errors = 0;
  tree.iterate({
    enter({ name, node }) {
      if (name === 'Script') errors += differing(statementsIn(node, text), '');
      if (name === 'Body') errors += errorsInBody(node, text);
    },
  });
  return errors;
}

function errorsInBody(body: SyntaxNode, text: string): number {
  const indents = statementsIn(body, text);
  const [first] = indents;
  if (first === undefined) return 0;
  const outer = indentAt(body.parent!.from, text);
  const isDeeper = first.length > outer.length && first.startsWith(outer);
  return differing(indents, first) + Number(!isDeeper);
}

const differing = (indents: readonly string[], wanted: string): number =>
  indents.filter(indent => indent !== wanted).length;

/** Returns the indentation of each statement of a block, except those that follow another one on the same line. */
function statementsIn(block: SyntaxNode, text: string): string[] {
  const indents: string[] = [];
  for (let node = block.firstChild; node !== null; node = node.nextSibling) {
    const before = text.slice(text.lastIndexOf('\n', node.from - 1) + 1, node.from);
    if (/(?:Statement|Definition)$/.test(node.name) && /^[ \t\f]*$/.test(before)) indents.push(before);
  }
  return indents;
}

const indentAt = (offset: number, text: string): string =>
  /^[ \t\f]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];
