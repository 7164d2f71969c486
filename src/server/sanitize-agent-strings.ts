/** Removes terminal sequences and control characters from every string in a value that agents wrote. */
import { plainText } from '../formats/text/plain-text.ts';

export function sanitizeAgentStrings<T>(value: T): T {
  return sanitized(value) as T;
}

function sanitized(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(sanitized);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sanitized(inner)]));
}
