/**
 * Whether a JSON value fits a JSON Schema, as far as Dure's own shapes go. Cautious: a keyword it does not know fits
 * nothing, so that a yes is always true. It says no more than that; what is wrong is for the schema library to say.
 */
import type { Json } from './json.ts';

export type Schema = { readonly [keyword: string]: unknown };

type Check = (value: Json, wanted: never, schema: Schema) => boolean;

const isObject = (value: Json): value is { [key: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const TYPES: Record<string, (value: Json) => boolean> = {
  null: value => value === null,
  boolean: value => typeof value === 'boolean',
  string: value => typeof value === 'string',
  number: value => Number.isFinite(value),
  integer: value => Number.isInteger(value),
  array: value => Array.isArray(value),
  object: isObject,
};

const always = () => true;
const inNumbers =
  (holds: (value: number, bound: number) => boolean) =>
  (value: Json, bound: number): boolean =>
    typeof value !== 'number' || holds(value, bound);

const CHECKS: Record<string, Check> = {
  $schema: always,
  title: always,
  description: always,
  // zod writes the pattern beside the format, and the pattern is the stricter of the two.
  format: (_, __, { pattern }) => typeof pattern === 'string',
  type: (value, types: string | string[]) => [types].flat().some(type => TYPES[type]?.(value) ?? false),
  const: (value, wanted: Json) => value === wanted,
  enum: (value, wanted: Json[]) => wanted.includes(value),
  pattern: (value, source: string) => typeof value !== 'string' || compiled(source).test(value),
  minLength: (value, least: number) => typeof value !== 'string' || value.length >= least,
  minimum: inNumbers((value, bound) => value >= bound),
  maximum: inNumbers((value, bound) => value <= bound),
  exclusiveMinimum: inNumbers((value, bound) => value > bound),
  anyOf: (value, schemas: Schema[]) => schemas.some(schema => fits(schema, value)),
  oneOf: (value, schemas: Schema[]) => schemas.filter(schema => fits(schema, value)).length === 1,
  items: (value, schema: Schema) => !Array.isArray(value) || value.every(item => fits(schema, item)),
  minItems: (value, least: number) => !Array.isArray(value) || value.length >= least,
  required: (value, keys: string[]) => !isObject(value) || keys.every(key => Object.hasOwn(value, key)),
  properties: (value, schemas: Record<string, Schema>) =>
    !isObject(value) ||
    Object.entries(schemas).every(([key, schema]) => !Object.hasOwn(value, key) || fits(schema, value[key]!)),
  propertyNames: (value, schema: Schema) =>
    !isObject(value) || Object.keys(value).every(key => fits(schema, key)),
  additionalProperties: (value, schema: Schema | boolean, { properties }) =>
    !isObject(value) ||
    Object.keys(value).every(
      key =>
        Object.hasOwn(properties ?? {}, key) ||
        (typeof schema === 'boolean' ? schema : fits(schema, value[key]!)),
    ),
};

export const fits = (schema: Schema, value: Json): boolean =>
  Object.entries(schema).every(
    ([keyword, wanted]) => CHECKS[keyword]?.(value, wanted as never, schema) ?? false,
  );

const patterns = new Map<string, RegExp>();
function compiled(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, known);
  return known;
}
