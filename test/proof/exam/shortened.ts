import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';

const IN_GO = /func\(v0 .*?\) \(.*?\) \{ dureChange\(.*?\); return [v\d, ]+ \}\(/g;

/** Shortens the code that changes a value to `other(…)`. */
export function shortened(text: string, path: string): string {
  const { values } = languageOfFile(path)!.grammar!;
  if (!values) return text.replace(IN_GO, 'other(');
  return [values.different('|'), values.unequal('|')].reduce(
    (code, changed) =>
      code
        .split(changed.split(/(?<=\()\|/)[0]!)
        .map((part, n) => (n === 0 ? part : part.replace(/^((?:[^()]|\([^()]*\))*)\)\)/, 'other($1)')))
        .join(''),
    text,
  );
}
