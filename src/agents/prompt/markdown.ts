/** The Markdown of a prompt. What people and agents wrote is quoted, whole or cut, and cannot end its own block. Pure. */
import { fenced } from '../../core/quoting.ts';

export const section = (heading: string, ...paragraphs: readonly string[]): string =>
  [`## ${heading}`, ...paragraphs].join('\n\n');

export const list = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n');

/** Characters of one quotation; the file it comes from holds the rest. */
const LONGEST = 40_000;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A fenced block. Carriage returns, which Markdown takes for line ends, are line ends. */
export function quote(text: string, language = 'text'): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROL, '').trim();
  const shown = clean.length > LONGEST ? `${clean.slice(0, LONGEST)}\n[… cut here]` : clean;
  return fenced(shown || '(nothing)', language);
}
