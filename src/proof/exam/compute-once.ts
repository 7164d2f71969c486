/** Caches the result of `compute` for each key until the key is garbage-collected. */
export function computeOnce<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return key => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}
