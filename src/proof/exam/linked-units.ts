/** Which units of a change belong together, because they share names or because lines were moved. Pure. */
import { computeOnce } from './compute-once.ts';
import {
  assignedIn,
  codeLinesIn,
  except,
  namesIn,
  overlap,
  textIn,
  visibleNamesIn,
  wordsIn,
} from './identifiers.ts';
import type { Unit } from './units.ts';

const changedNames = (namesOf: (text: string) => ReadonlySet<string>) =>
  computeOnce(({ file, head, base }: Unit) => {
    const now = namesOf(textIn(file.head, head));
    const before = namesOf(textIn(file.base, base));
    return { added: except(now, before), removed: except(before, now) };
  });

/** Names that the unit declares on one side only, without local variables. */
export const newNames = changedNames(visibleNamesIn);
/** The same with local variables, also those that an assignment declares. */
const newVariables = changedNames(text => new Set([...namesIn(text), ...assignedIn(text)]));

/** Words that the unit has on each side. */
const wordsOf = computeOnce(({ file, head, base }: Unit) => ({
  head: wordsIn(textIn(file.head, head)),
  base: wordsIn(textIn(file.base, base)),
}));

const codeLinesOf = computeOnce(({ file, head, base }: Unit) => ({
  head: codeLinesIn(textIn(file.head, head)),
  base: codeLinesIn(textIn(file.base, base)),
}));

/** Whether the change moved a line from one of the units to the other, and taking out both moves it back. */
export const isMoved = (one: Unit, other: Unit): boolean =>
  !one.isEmptied &&
  !other.isEmptied &&
  (overlap(codeLinesOf(one).head, codeLinesOf(other).base) ||
    overlap(codeLinesOf(one).base, codeLinesOf(other).head));

/** Whether the unit only removes lines that the change adds elsewhere, where they are examined. */
export function isMovedAway(unit: Unit, units: readonly Unit[]): boolean {
  const removed = codeLinesOf(unit).base;
  const added = new Set(units.flatMap(each => [...codeLinesOf(each).head]));
  return unit.head.from === unit.head.to && removed.size > 0 && except(removed, added).size === 0;
}

/** The unit and, transitively, all units that share a moved line, or a name that one of them adds or removes. */
export function linked(unit: Unit, units: readonly Unit[]): Unit[] {
  const group = [unit];
  for (const one of group) {
    const { added } = newVariables(one);
    const words = wordsOf(one).base;
    const uses = (other: Unit) =>
      overlap(added, wordsOf(other).head) ||
      overlap(newVariables(other).removed, words) ||
      isMoved(one, other);
    group.push(...units.filter(other => !group.includes(other) && uses(other)));
  }
  return group;
}
