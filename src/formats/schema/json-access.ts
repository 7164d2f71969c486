/** Accessors for JSON of unknown structure. A missing value reads as empty; nothing here throws. */
export type JsonObject = { readonly [key: string]: unknown };

const NOTHING: JsonObject = {};

export const objectAt = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : NOTHING;

export const arrayAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textAt = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const numberAt = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

/** Parses one line of a stream as an object; null if it is not one. */
export function parseJsonLine(line: string): JsonObject | null {
  if (line[0] !== '{') return null;
  try {
    return objectAt(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The object at this key path, or an empty one. */
export const tableAt = (from: unknown, ...keys: readonly string[]): JsonObject =>
  keys.reduce((at, key) => objectAt(at[key]), objectAt(from));

export const textsIn = (value: unknown): string[] => arrayAt(value).filter(one => typeof one === 'string');
