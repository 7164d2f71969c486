/** A function that computes its result only once for each key, as long as the key exists. */
export function computeOnce<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return key => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}
