/** Computes the difference of two sets, and tells whether they overlap. Pure. */

export const except = (some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...some].filter(each => !others.has(each)));

export const overlap = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some(each => others.has(each));
