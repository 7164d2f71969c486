/** Builds the changed code without some of its units. Pure. */

import type { ChangedFile } from './changed-code.ts';
import { computeOnce } from './compute-once.ts';
import { withStringAtEnd } from './lines-as-string.ts';
import { syntaxErrors } from './syntax/parse-code.ts';
import { edited } from './syntax/text-edits.ts';
import { linesOf } from './syntax/text-lines.ts';
import type { Unit } from './units.ts';
import type { Variant } from './variants/variant.ts';

/**
 * Builds the result without the units. Their lines stay as comments and as a string, so that a test that reads the
 * source does not notice the removal.
 */
export function without(units: readonly Unit[]): Variant {
  const edits = new Map<string, Buffer | null>();
  for (const file of new Set(units.map(unit => unit.file))) {
    const text = textWithout(file, units);
    const lines = linesOf(file.head ?? '');
    const own = units.filter(unit => unit.file === file);
    const removed = own.flatMap(({ head }) => lines.slice(head.from, head.to));
    const kept = withStringAtEnd(text, removed, file.language);
    const isSafe = syntaxErrors(kept, file.language) <= syntaxErrors(text, file.language);
    edits.set(file.path, Buffer.from(isSafe ? kept : text));
  }
  return { of: 'head', edits };
}

const textWithout = (file: ChangedFile, units: readonly Unit[]): string => {
  const own = units.filter(unit => unit.file === file);
  return file.head === null
    ? (file.base ?? '')
    : edited(
        file.head,
        own.flatMap(({ out }) => out ?? []),
      );
};

/** Whether the code without the units has no more syntax errors than the code with them. */
export const parses = (units: readonly Unit[]): boolean =>
  [...new Set(units.map(unit => unit.file))].every(
    file => syntaxErrors(textWithout(file, units), file.language) <= ownErrors(file),
  );

const ownErrors = computeOnce(({ head, language }: ChangedFile) => syntaxErrors(head ?? '', language));
