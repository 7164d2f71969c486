/** Looking into JSON that somebody else shaped. Whatever is not there reads as empty; nothing here throws. */
export type Loose = { readonly [key: string]: unknown };

const NOTHING: Loose = {};

export const part = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : NOTHING;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

/** One line of a stream as an object, or null when it is none. */
export function parseLine(line: string): Loose | null {
  if (line[0] !== '{') return null;
  try {
    return part(JSON.parse(line));
  } catch {
    return null;
  }
}
