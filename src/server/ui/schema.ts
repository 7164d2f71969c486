/** A JSON Schema of a configuration file, read into the fields of a form. What is typed is text until it is sent. */

import { spanIn } from './span.ts';

export type Kind = 'text' | 'number' | 'time' | 'switch' | 'choice' | 'several' | 'list';
export interface Field {
  readonly path: string;
  readonly kind: Kind;
  readonly help: string | undefined;
  readonly choices: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Null may be written, and an empty field means it. */
  readonly nullable: boolean;
}
export interface Group {
  readonly path: string;
  readonly fields: readonly Field[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
  /** Values that are known, where others may be written too. */
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The keys of the file itself come first, then each nested object as a group of its own. */
export function groupsOf(schema: unknown, path = ''): Group[] {
  const own: Field[] = [];
  const nested: Group[] = [];
  for (const [key, of] of Object.entries((schema as Schema).properties ?? {})) {
    const at = path ? `${path}.${key}` : key;
    if (of.properties) nested.push(...groupsOf(of, at));
    else own.push(fieldOf(at, of));
  }
  return own.length > 0 ? [{ path, fields: own }, ...nested] : nested;
}

/** Null beside another type is said in either of two ways. */
const typesOf = ({ type, anyOf = [] }: Schema): string[] => [type ?? [], ...anyOf.map(typesOf)].flat();

function fieldOf(path: string, schema: Schema): Field {
  const nullable = typesOf(schema).includes('null');
  const of = schema.anyOf?.find(one => one.type !== 'null') ?? schema;
  const type = typesOf(of).find(one => one !== 'null');
  const choices = (of.items?.enum ?? of.enum ?? of.examples ?? schema.examples ?? []).map(String);
  return {
    path,
    kind:
      type === 'boolean'
        ? 'switch'
        : type === 'array'
          ? choices.length > 0
            ? 'several'
            : 'list'
          : choices.length > 0
            ? 'choice'
            : type === 'number' || type === 'integer'
              ? /^milliseconds\b/.test(schema.description ?? '')
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

/** A copy with this value at the path; undefined takes the key away. */
export function withValue(tree: Tree, path: string, value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const below = tree[key];
    return {
      ...tree,
      [key]: withValue(
        below !== null && typeof below === 'object' ? (below as Tree) : {},
        rest.join('.'),
        value,
      ),
    };
  }
  const { [key]: _, ...others } = tree;
  return value === undefined ? others : { ...tree, [key]: value };
}

/** What is typed in a field, as it is to be written. Text that is no number stays text: the server names the mistake. */
export function typed(field: Field, text: string): unknown {
  if (field.kind === 'list')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
  if (text.trim() === '') return field.nullable ? null : undefined;
  if (field.kind === 'time') return spanIn(text) ?? (Number.isNaN(Number(text)) ? text : Number(text));
  if (field.kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

export const asTyped = (field: Field, value: unknown): string =>
  value === undefined || value === null
    ? ''
    : field.kind === 'list' && Array.isArray(value)
      ? value.join('\n')
      : String(value);
