/** Maps items with limited concurrency; results keep the order of the items. */
export async function mapParallel<T, R>(
  most: number,
  items: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [i, thing] of left) results[i] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
