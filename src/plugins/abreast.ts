/** Does work on many things, at most so many at a time; the results are in the order of the things. */
export async function abreast<T, R>(
  most: number,
  things: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = things.entries();
  const worker = async () => {
    for (const [i, thing] of left) results[i] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(most, things.length) }, worker));
  return results;
}
