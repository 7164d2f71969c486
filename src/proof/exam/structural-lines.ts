/** Finds imports, brackets and headers: removing them says less about the tests than removing other lines. Pure. */
import type { Tree } from '@lezer/common';
import { lineFinder, linesOf, rangeOf } from './syntax/text-lines.ts';
import { childrenOf } from './syntax/tree-nodes.ts';

const startsLine = (code: string, at: number): boolean =>
  code.slice(code.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
const endsLine = (code: string, at: number): boolean => code.slice(at).split('\n', 1)[0]!.trim() === '';

/** Lines that contain only imports, brackets or comments, and the first lines of classes. */
export function framesIn(tree: Tree, code: string): Set<number> {
  const frames = new Set<number>();
  const lineOf = lineFinder(code);
  for (const [line, text] of linesOf(code).entries())
    if (/^\s*(?:[\])}([{;,]*|(?:export )?(?:default )?class\b.*[{:])\s*$/.test(text)) frames.add(line);
  tree.iterate({
    enter({ name, from, to }) {
      if (!/Comment$|^(?:Import(?:Declaration|Statement|Decl)|PackageClause)$/.test(name)) return true;
      const isComment = name.endsWith('Comment');
      const first = lineOf(from) + Number(isComment && !startsLine(code, from));
      const end = lineOf(to) + Number(!isComment || endsLine(code, to));
      for (const line of rangeOf({ from: first, to: end })) frames.add(line);
      return false;
    },
  });
  return frames;
}

/** The first lines and docstrings of Python functions and classes, which tests can read without running the code. */
export function headersIn(tree: Tree, code: string): Set<number> {
  const headers = new Set<number>();
  const lineOf = lineFinder(code);
  const add = (from: number, to: number) => {
    for (const line of rangeOf({ from: lineOf(from), to: lineOf(to) + 1 })) headers.add(line);
  };
  tree.iterate({
    enter({ node, name, from }) {
      const body = /^(?:Function|Class)Definition$/.test(name) ? node.getChild('Body') : null;
      if (!body) return;
      add(from, body.from);
      const [first] = childrenOf(body).filter(child => child.name !== ':');
      if (first?.firstChild?.name.endsWith('String')) add(first.from, first.to);
    },
  });
  return headers;
}
