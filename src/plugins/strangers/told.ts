/** A plugin as it can be told to another process: plain values as they are, functions and schemas as the way to them. */
import type { z } from 'zod';
import type { FarCall, FarShape, Way } from './question.ts';

/** Deeper than anything that means something to Dure, and an end for what goes in circles. */
const DEEPEST = 12;
/** Methods of a class are on no list of keys. */
const METHODS = ['enabled', 'notify', 'prompt', 'outcome', 'start', 'isLoggedIn'];

export type Said = (shape: z.ZodType) => FarShape['schema'];

export function told(value: unknown, way: Way, said: Said): unknown {
  if (typeof value === 'function') return { $call: way } satisfies FarCall;
  if (typeof value !== 'object' || value === null) return value;
  if (way.length > DEEPEST) throw new TypeError(`what it gives is too deep at ${way.slice(1, 4).join('.')}`);
  if (Array.isArray(value)) return value.map((one, i) => told(one, [...way, String(i)], said));
  if (isShape(value)) return { $shape: way, schema: said(value as z.ZodType) } satisfies FarShape;
  const keys = new Set([...Object.keys(value), ...METHODS.filter(name => name in value)]);
  return Object.fromEntries(
    [...keys].map(key => [key, told((value as Record<string, unknown>)[key], [...way, key], said)]),
  );
}

export const isShape = (value: object): boolean =>
  typeof (value as { safeParse?: unknown }).safeParse === 'function';

/** What lies at the end of a way, and the object it lies in. */
export function reached(
  given: readonly unknown[],
  way: Way,
): { readonly owner: unknown; readonly found: unknown } {
  let owner: unknown = null;
  let found: unknown = given;
  for (const step of way) {
    owner = found;
    found = (found as Record<string, unknown>)[step];
  }
  return { owner, found };
}
