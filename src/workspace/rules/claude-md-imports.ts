/** Finds the imports in a CLAUDE.md: `@path` as a separate word, not in code or comments. This module is pure. */
import { posix } from 'node:path';

const FENCED = /^ {0,3}(`{3,}(?!.*`)|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
const CODE_SPAN = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;
const COMMENT = /<!--[\s\S]*?-->/g;
const IMPORT = /(?<=^|\s)@((?:[^\s\\]|\\ )+)/g;
const FINAL_MARKS = /[.,;:!?)\]'"]+$/;

/** Returns the imported paths as they are written in the text. Skips code and comments. */
export const importsIn = (text: string): string[] =>
  [...text.replace(FENCED, '\n').replace(COMMENT, ' ').replace(CODE_SPAN, ' ').matchAll(IMPORT)].map(
    ([, path]) => path!.replaceAll('\\ ', ' ').replace(/#.*$/, ''),
  );

/**
 * Returns the repository paths that an import may refer to, most likely first. There may be two, because final
 * punctuation may belong to the path or to the sentence. Null if the path leads outside the repository.
 */
export function placesOf(imported: string, importer: string): string[] | null {
  if (/^[~/]/.test(imported)) return null;
  const places = [imported, imported.replace(FINAL_MARKS, '')].map(path =>
    posix.join(posix.dirname(importer), path),
  );
  return places.some(path => path === '..' || path.startsWith('../')) ? null : [...new Set(places)];
}
