/**
 * Formats the Markdown of a prompt. Quotes text written by people and agents so that it cannot close its own block, and
 * truncates it if it is long. This module is pure.
 */
import { fenced } from '../../core/text/markdown-quote.ts';

export const promptSection = (heading: string, ...paragraphs: readonly string[]): string =>
  [`## ${heading}`, ...paragraphs].join('\n\n');

export const bulletList = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n');

/** Formats lines as `Label: text`. Skips those whose text is missing or empty. */
export const labelled = (texts: Readonly<Record<string, string | null | undefined>>): string[] =>
  Object.entries(texts).flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []));

/** Maximum number of characters in a quotation; the full text is in its file. */
const MAX_LENGTH = 40_000;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Formats text as a fenced block. Replaces carriage returns, which Markdown treats as line endings, with newlines. */
export function quote(text: string, language = 'text'): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROL, '').trim();
  const shown = clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}\n[… cut here]` : clean;
  return fenced(shown || '(nothing)', language);
}
