/** Delta debugging: finds small sets of items that together have an effect. */

/**
 * `has` tells whether the items together have the effect; null if this is unknown. Returns a minimal set: neither
 * a single item of it nor a subset with one item fewer is known to have the effect.
 */
export async function smallestSet<T>(
  items: readonly T[],
  has: (subset: readonly T[]) => Promise<boolean | null>,
): Promise<readonly T[]> {
  let set = items;
  for (let parts = 2; set.length > 1 && parts <= set.length; ) {
    const size = Math.ceil(set.length / parts);
    const smaller = await firstWith(candidates(set, size), has);
    if (smaller) [set, parts] = [smaller, 2];
    else if (size === 1) break;
    else parts = Math.min(set.length, parts * 2);
  }
  return set;
}

function candidates<T>(set: readonly T[], size: number): (readonly T[])[] {
  const parts = Array.from({ length: Math.ceil(set.length / size) }, (_, n) =>
    set.slice(n * size, (n + 1) * size),
  );
  const rests = parts.map(part => set.filter(item => !part.includes(item)));
  return parts.length > 2 ? [...parts, ...rests] : parts;
}

async function firstWith<T>(
  sets: readonly (readonly T[])[],
  has: (some: readonly T[]) => Promise<boolean | null>,
): Promise<readonly T[] | null> {
  for (const set of sets) if (await has(set)) return set;
  return null;
}
