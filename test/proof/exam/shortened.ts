import { languageOfFile } from '../../../src/proof/exam/languages.ts';

/** Shortens the code that changes a value to `other(…)`. */
export function shortened(text: string, path: string): string {
  const [start, end] =
    languageOfFile(path)!
      .grammar!.values?.different('|')
      .split(/(?<=\()\|/) ?? [];
  if (start === undefined || end === undefined) return text;
  return text
    .split(start)
    .map((part, n) => (n === 0 ? part : part.replace(/^((?:[^()]|\([^()]*\))*)\)\)/, 'other($1)')))
    .join('');
}
