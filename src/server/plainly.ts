/** What agents wrote, made harmless in every string of it, as S14 wants: nothing else of the value changes. */
import { plain } from '../agents/streams/plain.ts';

export function plainly<T>(value: T): T {
  return cleared(value) as T;
}

function cleared(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(cleared);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleared(inner)]));
}
