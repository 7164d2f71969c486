/** Fills the placeholders of a move. This module is pure. */

/** Replaces `{{now}}` and similar placeholders in all strings of a value. Unknown ones are kept. */
export function fillPlaceholders<T>(value: T, variables: Readonly<Record<string, string>>): T {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string')
      return part.replace(/\{\{(\w+)\}\}/g, (all, name: string) => variables[name] ?? all);
    if (Array.isArray(part)) return part.map(fill);
    if (part && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
    return part;
  };
  return fill(value) as T;
}
