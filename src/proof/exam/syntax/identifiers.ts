/** Finds words and declared names in lines of code, without a grammar. Pure. */
const DECLARATION =
  /\b(?:function\*?|class|const|let|var|def|func(?: \([^)]*\))?|type|interface|enum|struct|fn|mod|trait)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const CLASS = /\bclass\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const EXPORTED = /\bexports\.([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?!=)/gu;
/** An indented declaration of a variable that is not a function or class. */
const LOCAL = /^[ \t]+(?:const|let|var)\s(?!.*(?:\bfunction\b|\bclass\b|=>)).*$/gm;
/** In Python and Go, an assignment declares a variable. A line that ends with a comma is an argument. */
const ASSIGNED =
  /^[ \t]*([\p{L}_$][\p{L}\p{N}_$]*(?:,[ \t]*[\p{L}_$][\p{L}\p{N}_$]*)*)(?:[ \t]*:[^=\n]+)?[ \t]*:?=(?![=>])(?![^\n]*,[ \t]*$)/gmu;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|[^\s]/gu;
const tokensOf = (text: string): string[] => text.replace(/\bexport (?:default )?/g, '').match(TOKEN) ?? [];

/** Whether the second text differs from the first only in the names that it declares, or in whether it exports them. */
export function declaresOtherNames(before: string, now: string): boolean {
  const [old, renamed] = [tokensOf(before), tokensOf(now)];
  const pairs = old.map((token, n) => [token, renamed[n]] as const).filter(([one, other]) => one !== other);
  const [declared, declaredNow] = [identifiersIn(before), identifiersIn(now)];
  return (
    before !== now &&
    declared.size > 0 &&
    old.length === renamed.length &&
    pairs.every(([one, other]) => declared.has(one) && declaredNow.has(other!))
  );
}

export const identifiersIn = (text: string): Set<string> =>
  new Set([...text.matchAll(DECLARATION)].map(([, name]) => name!));

/** Declared names that other files and tests may use. */
export const visibleNamesIn = (text: string): Set<string> => identifiersIn(text.replace(LOCAL, ''));

export const assignedIn = (text: string): Set<string> =>
  new Set([...text.matchAll(ASSIGNED)].flatMap(([, names]) => names!.split(/,[ \t]*/)));

export const classesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(CLASS)].map(([, name]) => name!));

/** Names that a CommonJS file exports one by one. */
export const exportedIn = (text: string): Set<string> =>
  new Set([...text.matchAll(EXPORTED)].map(([, name]) => name!));

export const wordsIn = (text: string): Set<string> => new Set([...text.matchAll(WORD)].map(([word]) => word));
