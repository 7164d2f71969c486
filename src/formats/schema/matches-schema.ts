/**
 * Checks a JSON value against a JSON Schema, for the keywords that Dure's own shapes use. An unknown keyword matches
 * nothing, so `true` is always correct. The schema library reports what is wrong.
 */
import type { Json } from './strict-json.ts';

export type Schema = { readonly [keyword: string]: unknown };

type Check = (value: Json, expected: never, schema: Schema) => boolean;

const isObject = (value: Json): value is { [key: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const hasType = (type: string, value: Json): boolean => TYPES[type]?.(value) ?? false;

const TYPES: Record<string, (value: Json) => boolean> = {
  null: value => value === null,
  boolean: value => typeof value === 'boolean',
  string: value => typeof value === 'string',
  number: value => Number.isFinite(value),
  integer: value => Number.isInteger(value),
  array: value => Array.isArray(value),
  object: isObject,
};

/** Accepts only the format that Dure writes; the schema library accepts others. */
const isDateTime = (text: string): boolean => {
  const ms = text.length === '2026-01-31T14:22:01.000Z'.length ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
};

const inNumbers =
  (holds: (value: number, bound: number) => boolean) =>
  (value: Json, bound: number): boolean =>
    typeof value !== 'number' || holds(value, bound);

const CHECKS: Record<string, Check> = {
  $schema: () => true,
  format: (value, name: string) => name === 'date-time' && (typeof value !== 'string' || isDateTime(value)),
  type: (value, types: string | readonly string[]) =>
    typeof types === 'string' ? hasType(types, value) : types.some(type => hasType(type, value)),
  const: (value, expected: Json) => value === expected,
  enum: (value, expected: Json[]) => expected.includes(value),
  pattern: (value, source: string) => typeof value !== 'string' || compiled(source).test(value),
  minLength: (value, min: number) => typeof value !== 'string' || value.length >= min,
  maxLength: (value, max: number) => typeof value !== 'string' || value.length <= max,
  minimum: inNumbers((value, bound) => value >= bound),
  maximum: inNumbers((value, bound) => value <= bound),
  exclusiveMinimum: inNumbers((value, bound) => value > bound),
  anyOf: (value, schemas: Schema[]) => schemas.some(schema => matchesSchema(schema, value)),
  oneOf: (value, schemas: Schema[]) => schemas.filter(schema => matchesSchema(schema, value)).length === 1,
  items: (value, schema: Schema) => !Array.isArray(value) || value.every(item => matchesSchema(schema, item)),
  minItems: (value, min: number) => !Array.isArray(value) || value.length >= min,
  maxItems: (value, max: number) => !Array.isArray(value) || value.length <= max,
  required: (value, keys: string[]) => !isObject(value) || keys.every(key => Object.hasOwn(value, key)),
  properties(value, schemas: Record<string, Schema>) {
    if (!isObject(value)) return true;
    for (const key in schemas)
      if (Object.hasOwn(value, key) && !matchesSchema(schemas[key]!, value[key]!)) return false;
    return true;
  },
  propertyNames: (value, schema: Schema) =>
    !isObject(value) || Object.keys(value).every(key => matchesSchema(schema, key)),
  additionalProperties(value, schema: Schema | boolean, { properties = {} }) {
    if (!isObject(value)) return true;
    for (const key in value) {
      if (Object.hasOwn(properties as object, key)) continue;
      if (typeof schema === 'boolean' ? !schema : !matchesSchema(schema, value[key]!)) return false;
    }
    return true;
  },
};

/** Uses plain loops, because this runs only once per process, before the code is optimized. */
export function matchesSchema(schema: Schema, value: Json): boolean {
  for (const keyword in schema) {
    const check = CHECKS[keyword];
    if (!check?.(value, schema[keyword] as never, schema)) return false;
  }
  return true;
}

const patterns = new Map<string, RegExp>();
function compiled(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, known);
  return known;
}
