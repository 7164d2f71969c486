/**
 * Reads strings from source code, with placeholders for the parts that are computed at run time, and compares them with
 * text that was printed. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, nodesIn } from './tree-nodes.ts';

/** Stands for a part that is not a literal, such as a parameter. */
export const UNWRITTEN = `$\{}`;

/** The text of a string, template or concatenation, as written in the source; null if no part is a literal. */
export function writtenText(node: SyntaxNode, text: string): string | null {
  if (node.name === 'ContinuedString') return joined(childrenOf(node), text);
  if (node.name === 'BinaryExpression') return joined([node.firstChild!, node.lastChild!], text);
  if (!/^(?:String|TemplateString|FormatString)$/.test(node.name)) return null;
  const replaced = nodesIn(node, /^(?:Interpolation|FormatReplacement)$/);
  let written = '';
  let at = node.from;
  for (const { from, to } of replaced) {
    if (from < at) continue;
    written += text.slice(at, from) + UNWRITTEN;
    at = to;
  }
  const [, quote = '', content] =
    /^\w*("""|'''|["'`])([\s\S]*)$/.exec(written + text.slice(at, node.to)) ?? [];
  return content?.slice(0, -quote.length) ?? null;
}

function joined(nodes: readonly SyntaxNode[], text: string): string | null {
  const parts = nodes.map(each => writtenText(each, text));
  return parts.every(part => part === null) ? null : parts.map(part => part ?? UNWRITTEN).join('');
}

/** Matches parts that may look different when printed: placeholders and escaped characters. */
const UNKNOWN = /\$\{[^}]*\}|%[sdifjoOpc#$%]|\$[A-Za-z_#][\w.]*|\\(?:u\{\w+\}|u\w{4}|x\w{2}|[0nrtvfb]|\n)/;
const WHITE_SPACE = /\s+/g;

/** The parts between the placeholders, in order, with their escapes resolved. */
export const knownParts = (written: string): string[] =>
  written
    .trim()
    .split(UNKNOWN)
    .map(part => part.replace(/\\(.)/g, '$1'));

/** Whether a printed text ends with these parts, in this order, with anything between them. */
export function endsWithParts(printed: string, parts: readonly string[]): boolean {
  const [last = '', ...before] = parts.map(part => part.replace(WHITE_SPACE, ' ')).reverse();
  let rest = printed.replace(WHITE_SPACE, ' ');
  if (!rest.endsWith(last)) return false;
  rest = rest.slice(0, rest.length - last.length);
  return before.every(part => {
    const at = rest.lastIndexOf(part);
    rest = rest.slice(0, Math.max(at, 0));
    return at >= 0;
  });
}
