/** Maps items with limited concurrency; results keep the order of the items. */
export async function mapParallel<T, R>(
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
