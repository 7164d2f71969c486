/**
 * Compares code as a compiler or interpreter reads it: without comments, blank lines and the layout of lines.
 * Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Language } from './languages.ts';

const COMMENT = /Comment$/;
/** Comments that a compiler obeys. */
const DIRECTIVE = /^\/\/(?:go:|\s*\+build|export )/;

/** Equal for two texts if they are the same code. */
export function structureOf(text: string, language: Language, without: RegExp = /^$/): string {
  if (language.grammar === null) return plainStructure(text, language.comment);
  const written: string[] = [];
  write(language.grammar.parser.parse(text).topNode);
  return written.join(' ');

  function write(node: SyntaxNode): void {
    if (without.test(node.name)) return;
    const own = text.slice(node.from, node.to);
    if (COMMENT.test(node.name)) {
      if (DIRECTIVE.test(own)) written.push(own);
      return;
    }
    if (node.firstChild === null) {
      written.push(own.trim() === '' ? node.name : own);
      return;
    }
    written.push(`(${node.name}`);
    let end = node.from;
    for (let child: SyntaxNode | null = node.firstChild; child; child = child.nextSibling) {
      between(node, end, child.from);
      write(child);
      end = child.to;
    }
    between(node, end, node.to);
    written.push(')');
  }

  /** The text of a template is in no node of the tree. */
  function between({ name }: SyntaxNode, from: number, to: number): void {
    const gap = text.slice(from, to);
    if (/String|Template|JSX/.test(name)) written.push(gap);
    else if (gap.trim() !== '') written.push(gap.trim());
  }
}

const plainStructure = (text: string, comment: string | null): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !(comment !== null && line.startsWith(comment)))
    .join('\n');

/** What TypeScript removes when it compiles. */
const TYPES =
  /^(?:TypeAnnotation|InterfaceDeclaration|TypeAliasDeclaration|TypeParamList|TypeArgList|AmbientDeclaration|Privacy|Optional|readonly|abstract|declare|override)$/;

/** The same without type declarations and annotations. */
export const structureWithoutTypes = (text: string, language: Language): string =>
  structureOf(text, language, TYPES);

/** How many places of a text do not fit the grammar. */
export function syntaxErrors(text: string, { grammar }: Language): number {
  let errors = 0;
  grammar?.parser.parse(text).iterate({
    enter({ type }) {
      errors += Number(type.isError);
    },
  });
  return errors;
}
