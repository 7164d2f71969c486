/**
 * Arbitrary values that match a zod shape, for any shape of `src/formats`, so that a new key is covered
 * automatically.
 */
import type { z } from 'zod';
import fc from './fast-check-seed.ts';

interface Def {
  type: string;
  format?: string;
  checks?: { _zod: { def: { check: string; format?: string; pattern?: RegExp; value?: number } } }[];
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
  out?: z.ZodType;
}

const defOf = (shape: z.ZodType): Def => shape._zod.def as unknown as Def;

const awkward = fc.constantFrom(
  '',
  ' ',
  '"',
  '\\',
  '=',
  'a=b',
  'null',
  '12',
  'j"',
  '\n',
  ' chain=0',
  'é✓\u2028',
  '[INFO]',
  '🐚',
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 12 }), awkward);
const moment = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString());
/** The one key that is refused everywhere has its own tests. */
const anything = fc
  .jsonValue({ maxDepth: 2 })
  .filter(value => !JSON.stringify(value).includes('"__proto__"'))
  .map(value => JSON.parse(JSON.stringify(value)) as unknown);

function strings({ format, checks = [] }: Def): fc.Arbitrary<string> {
  if (format === 'datetime') return moment;
  const { pattern } = checks.map(check => check._zod.def).find(def => def.pattern) ?? {};
  return pattern ? fc.stringMatching(pattern) : text;
}

function numbers({ format, checks = [] }: Def): fc.Arbitrary<number> {
  const whole = format === 'safeint' || checks.some(check => check._zod.def.format === 'safeint');
  const bound = (of: string) => checks.map(check => check._zod.def).find(def => def.check === of)?.value;
  const min = bound('greater_than') ?? -1000;
  const max = bound('less_than') ?? Math.max(min, 0) + 100_000;
  // JSON does not distinguish -0 from 0.
  return whole
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.double({ min, max, noNaN: true }).map(value => value + 0);
}

function raw(shape: z.ZodType): fc.Arbitrary<unknown> {
  const def = defOf(shape);
  switch (def.type) {
    case 'object': {
      const keys = Object.entries(def.shape!);
      const optional = keys.filter(([, of]) => ['optional', 'default', 'prefault'].includes(defOf(of).type));
      const required = keys.map(([key]) => key).filter(key => !optional.some(([name]) => name === key));
      return fc.record(Object.fromEntries(keys.map(([key, of]) => [key, raw(of)])), {
        requiredKeys: required,
      });
    }
    case 'string':
      return strings(def);
    case 'number':
      return numbers(def);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries!));
    case 'literal':
      return fc.constantFrom(...def.values!);
    case 'nullable':
      return fc.option(raw(def.innerType!), { nil: null });
    case 'optional':
    case 'default':
    case 'prefault':
      return raw(def.innerType!);
    case 'array':
      return fc.array(raw(def.element!), { maxLength: 3, minLength: defOf(shape).checks?.length ? 1 : 0 });
    case 'record':
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), raw(def.valueType!), { maxKeys: 3 });
    case 'union':
      return fc.oneof(...def.options!.map(raw));
    case 'unknown':
      return anything;
    default:
      throw new RangeError(`no arbitrary for ${def.type}`);
  }
}

export const arbitraryOf = <S extends z.ZodType>(shape: S): fc.Arbitrary<z.output<S>> =>
  raw(shape).filter(value => shape.safeParse(value).success) as fc.Arbitrary<z.output<S>>;
