import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';

/** Shortens the code that changes a value to `other(…)`, or to `results(…)` if a function is kept. */
export function shortened(text: string, path: string): string {
  const { values } = languageOfFile(path)!.grammar!;
  if (!values) return text;
  return without(without(text, 'other', values.different('|')), 'results', values.differentResults('|'));
}

const without = (text: string, name: string, code: string): string =>
  text
    .split(code.split(/(?<=\()\|/)[0]!)
    .map((part, n) => (n === 0 ? part : part.replace(/^((?:[^()]|\([^()]*\))*)\)\)/, `${name}($1)`)))
    .join('');
