/**
 * Normalizes code, so that comments, blank lines and line layout do not count when it is compared. Pure.
 */

import type { TreeCursor } from '@lezer/common';
import type { CodeLanguage } from './languages.ts';
import { parsed } from './parse-code.ts';
import { type Rewrite, withoutTypes } from './strip-typescript-types.ts';

const COMMENT = /Comment$/;
/** Comments that are compiler directives. */
const DIRECTIVE = /^\/\/(?:go:|\s*\+build|export )/;

/** Returns equal strings for two texts that contain the same code. */
export function normalizedCode(
  text: string,
  language: CodeLanguage,
  rewrite: Rewrite = () => undefined,
): string {
  if (language.grammar === null) return plainStructure(text, language.comment);
  const written: string[] = [];
  write(parsed(text, language.grammar).tree.cursor());
  return written.join(' ');

  /** Writes the node at the cursor and leaves the cursor there. */
  function write(cursor: TreeCursor): void {
    const { name, from, to } = cursor;
    const instead = rewrite(cursor);
    if (instead === null) return;
    if (instead) {
      write(instead.cursor());
      return;
    }
    if (COMMENT.test(name)) {
      const own = text.slice(from, to);
      if (DIRECTIVE.test(own)) written.push(own);
      return;
    }
    if (!cursor.firstChild()) {
      const own = text.slice(from, to);
      written.push(own.trim() === '' ? name : own);
      return;
    }
    written.push(`(${name}`);
    let end = from;
    do {
      between(name, end, cursor.from);
      end = cursor.to;
      write(cursor);
    } while (cursor.nextSibling());
    cursor.parent();
    between(name, end, to);
    written.push(')');
  }

  /** The text of a template is not contained in any node of the tree. */
  function between(name: string, from: number, to: number): void {
    if (from === to) return;
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

/** Like `normalizedCode`, but without what TypeScript removes when it compiles. */
export const normalizedCodeWithoutTypes = (text: string, language: CodeLanguage): string =>
  normalizedCode(text, language, withoutTypes);

/** Like `normalizedCode`, but without statements that are only a string, such as a docstring. */
export const normalizedCodeWithoutDocs = (text: string, language: CodeLanguage): string =>
  normalizedCode(text, language, withoutDocStrings);

const withoutDocStrings: Rewrite = at =>
  at.name === 'ExpressionStatement' && /^(?:Continued)?String$/.test(at.node.firstChild?.name ?? '')
    ? null
    : undefined;
