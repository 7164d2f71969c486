/** Edits a text by offsets. Pure. */

/** Replaces the characters from `from` up to `to`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export const edited = (text: string, edits: readonly Edit[]): string => {
  let at = 0;
  const parts = edits
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .flatMap(edit => {
      const kept = text.slice(at, edit.from);
      at = edit.to;
      return [kept, edit.text];
    });
  return [...parts, text.slice(at)].join('');
};

/** Inserts a line at the top of the file, after the shebang line if there is one. */
export function withFirstLine(text: string, line: string): string {
  const interpreter = /^#!.*\n/.exec(text)?.[0] ?? '';
  return `${interpreter}${line}\n${text.slice(interpreter.length)}`;
}
