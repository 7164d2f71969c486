/** Converts the JSON Schema of a configuration file to form fields, and typed text to values. */

import { parseEditableDuration } from './editable-duration.ts';

type Kind = 'text' | 'number' | 'time' | 'switch' | 'choice' | 'several' | 'list' | 'json';
export interface FormField {
  readonly path: string;
  readonly kind: Kind;
  readonly help: string | undefined;
  readonly choices: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Accepts null; an empty field means null. */
  readonly nullable: boolean;
}
export interface Group {
  readonly path: string;
  readonly fields: readonly FormField[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
  /** Known values; other values are valid too. */
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  /** The unit of a number. */
  readonly unit?: 'ms';
  readonly maximum?: number;
}

/** Top-level keys form the first group; each nested object forms another. */
export function groupsOf(schema: unknown, path = ''): Group[] {
  const own: FormField[] = [];
  const nested: Group[] = [];
  for (const [key, of] of Object.entries((schema as Schema).properties ?? {})) {
    const at = path ? `${path}.${key}` : key;
    if (of.properties) nested.push(...groupsOf(of, at));
    else own.push(fieldOf(at, of));
  }
  return own.length > 0 ? [{ path, fields: own }, ...nested] : nested;
}

/** JSON Schema expresses a nullable type with either `type` or `anyOf`. */
const typesOf = ({ type, anyOf = [] }: Schema): string[] => [type ?? [], ...anyOf.map(typesOf)].flat();

function fieldOf(path: string, schema: Schema): FormField {
  const nullable = typesOf(schema).includes('null');
  const of = schema.anyOf?.find(one => one.type !== 'null') ?? schema;
  const type = typesOf(of).find(one => one !== 'null');
  const choices = (of.items?.enum ?? of.enum ?? of.examples ?? schema.examples ?? []).map(String);
  return {
    path,
    kind:
      type === 'boolean'
        ? 'switch'
        : type === 'object' || of.items?.type === 'object'
          ? 'json'
          : type === 'array'
            ? choices.length > 0
              ? 'several'
              : 'list'
            : choices.length > 0
              ? 'choice'
              : type === 'number' || type === 'integer'
                ? of.unit === 'ms'
                  ? 'time'
                  : 'number'
                : 'text',
    help: schema.description ?? of.description,
    choices,
    min: of.minimum,
    max: of.maximum,
    nullable,
  };
}

type Tree = Readonly<Record<string, unknown>>;
export const valueAt = (tree: Tree, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, key) => (at !== null && typeof at === 'object' ? (at as Tree)[key] : undefined),
      tree,
    );

/** Returns a copy with this value at the path; JSON omits a key whose value is undefined. */
export function withFieldValue(tree: Tree, path: string, value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.');
  const below = tree[key];
  const branch = below !== null && typeof below === 'object' ? (below as Tree) : {};
  return { ...tree, [key]: rest.length === 0 ? value : withFieldValue(branch, rest.join('.'), value) };
}

/**
 * Converts typed text to the value to save. Text that is not a number is kept as text, so that the server
 * reports the error.
 */
export function fieldText(field: FormField, text: string): unknown {
  if (field.kind === 'list')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
  if (text.trim() === '') return field.nullable ? null : undefined;
  if (field.kind === 'json') return parsed(text);
  if (field.kind === 'time')
    return parseEditableDuration(text) ?? (Number.isNaN(Number(text)) ? text : Number(text));
  if (field.kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const parseField = (field: FormField, value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object' && field.kind === 'json'
      ? JSON.stringify(value, null, 2)
      : field.kind === 'list' && Array.isArray(value)
        ? value.join('\n')
        : String(value);
