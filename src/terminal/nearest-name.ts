/** Finds the known name closest to a misspelled one; null if none is close enough. This module is pure. */
export function nearest(word: string, known: readonly string[]): string | null {
  const near = known
    .map(one => ({ one, steps: distance(word, one) }))
    .filter(({ one, steps }) => steps <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.steps - b.steps)[0];
  return near?.one ?? null;
}

/** Edit distance: number of letters to insert, delete, replace or swap with a neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (same ? 0 : 1),
        swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
