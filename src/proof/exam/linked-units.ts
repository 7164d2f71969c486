/** Determines which units of a change belong together because they share names. Pure. */

import type { ChangedFile } from './changed-code.ts';
import { computeOnce } from './compute-once.ts';
import { functionsIn } from './faults/empty-declarations.ts';
import { except, overlap } from './set-operations.ts';
import { assignedIn, identifiersIn, visibleNamesIn, wordsIn } from './syntax/identifiers.ts';
import { lineAt, textIn } from './syntax/text-lines.ts';
import type { Unit } from './units.ts';

const changedNames = (namesOf: (text: string) => ReadonlySet<string>) =>
  computeOnce(({ file, head, base }: Unit) => {
    const now = namesOf(textIn(file.head, head));
    const before = namesOf(textIn(file.base, base));
    return { added: except(now, before), removed: except(before, now) };
  });

/** Names that the unit declares only in the result or only in base, except local variables. */
export const newNames = changedNames(visibleNamesIn);
/** Like `newNames`, but including local variables. */
const declaredNames = changedNames(identifiersIn);
/** Variables that the unit assigns only in the result or only in base. */
const assignedNames = changedNames(assignedIn);

/** The words in the unit's lines, in the result and in base. */
const wordsOf = computeOnce(({ file, head, base }: Unit) => ({
  head: wordsIn(textIn(file.head, head)),
  base: wordsIn(textIn(file.base, base)),
}));

/** The unit and all units that use a name that it adds or removes, directly or through other such units. */
export function linked(unit: Unit, units: readonly Unit[]): Unit[] {
  const group = [unit];
  for (const one of group) {
    const uses = (other: Unit) =>
      sharesNames(one, other, declaredNames) ||
      (areInOneFunction(one, other) && sharesNames(one, other, assignedNames));
    group.push(...units.filter(other => !group.includes(other) && uses(other)));
  }
  return group;
}

const sharesNames = (one: Unit, other: Unit, namesOf: typeof newNames): boolean =>
  overlap(namesOf(one).added, wordsOf(other).head) || overlap(namesOf(other).removed, wordsOf(one).base);

/** Variables with the same name that are assigned in different functions are different variables. */
const areInOneFunction = (one: Unit, other: Unit): boolean =>
  one.file === other.file &&
  functionLines(one.file).some(({ from, to }) =>
    [one, other].every(({ head }) => head.from >= from && head.to <= to),
  );

const functionLines = computeOnce(({ head, language }: ChangedFile) =>
  head === null || language.grammar === null
    ? []
    : functionsIn(language.grammar.parser.parse(head), head).map(({ from, to }) => ({
        from: lineAt(head, from),
        to: lineAt(head, to) + 1,
      })),
);
