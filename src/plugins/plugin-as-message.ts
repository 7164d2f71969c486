/** Serializes a plugin as a message: plain values are copied; functions and schemas are replaced by paths to them. */
import type { ZodType, z } from 'zod';
import type { Json } from '../formats/schema/strict-json.ts';
import type { Path, RemoteFunction, RemoteSchema } from './plugin-protocol.ts';

/** Maximum depth of nesting. Nothing that Dure reads is nested this deep, but a cyclic object never ends. */
const MAX_DEPTH = 12;
/** Listed by name, because methods of classes are not own keys. */
const METHODS = ['enabled', 'notify', 'prompt', 'outcome', 'start', 'isLoggedIn', 'probe'];

/** The schema library is loaded only for plugins with a schema. */
export async function asMessage(value: unknown): Promise<Json> {
  const schemas: { readonly at: RemoteSchema; readonly schema: object }[] = [];
  const described = walk(value, [], (schema, path) => {
    const at: RemoteSchema = { $schema: path, json: null };
    schemas.push({ at, schema });
    return at;
  });
  if (schemas.length > 0) {
    const { z } = await import('zod');
    for (const { at, schema } of schemas) at.json = jsonSchemaOf(schema, z);
  }
  return described as Json;
}

function walk(value: unknown, path: Path, schemaAt: (schema: object, path: Path) => RemoteSchema): unknown {
  if (typeof value === 'function') return { $function: path } satisfies RemoteFunction;
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (path.length > MAX_DEPTH)
    throw new TypeError(`its return value is nested too deeply at ${path.slice(1, 4).join('.')}`);
  if (Array.isArray(value)) return value.map((one, i) => walk(one, [...path, String(i)], schemaAt));
  if (isSchema(value)) return schemaAt(value, path);
  const keys = new Set([...Object.keys(value), ...METHODS.filter(name => name in value)]);
  return Object.fromEntries(
    [...keys].map(key => [key, walk((value as Record<string, unknown>)[key], [...path, key], schemaAt)]),
  );
}

export const isSchema = (value: object): boolean =>
  typeof (value as { safeParse?: unknown }).safeParse === 'function';

/**
 * Null for a schema that JSON Schema cannot express, such as one from another version of zod. Such a schema still
 * checks values.
 */
export function jsonSchemaOf(schema: object, { toJSONSchema }: typeof z): RemoteSchema['json'] {
  try {
    const { $schema, ...json } = toJSONSchema(schema as ZodType, { io: 'input', unrepresentable: 'any' });
    return JSON.parse(JSON.stringify(json)) as { [key: string]: Json };
  } catch {
    return null;
  }
}

/** Finds the value at a path, and the object that contains it. */
export function resolvePath(returned: readonly unknown[], path: Path): { owner: unknown; value: unknown } {
  let owner: unknown = null;
  let value: unknown = returned;
  for (const key of path) {
    owner = value;
    value = (value as Record<string, unknown>)[key];
  }
  return { owner, value };
}
