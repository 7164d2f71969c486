/** Finds file names that denote the same file on a system that ignores case, such as macOS or Windows. */

/** Groups names in `all` that differ only in case or Unicode form. Returns the groups with a name in `changed`. */
export function equalNames(all: readonly string[], changed: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of all) {
    const folded = name.normalize('NFC').toLowerCase();
    groups.set(folded, [...(groups.get(folded) ?? []), name]);
  }
  const own = new Set(changed);
  return [...groups.values()].filter(group => group.length > 1 && group.some(name => own.has(name)));
}
