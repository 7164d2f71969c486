/** Converts the JSON Schema of a configuration file to form fields. This module is pure. */

type Kind = 'text' | 'number' | 'time' | 'switch' | 'choice' | 'several' | 'list' | 'json';
export interface FormField {
  readonly path: string;
  readonly kind: Kind;
  readonly help: string | undefined;
  readonly choices: readonly string[];
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
  /** The unit of a number. */
  readonly unit?: 'ms';
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
  const choices = (of.items?.enum ?? of.enum ?? of.examples ?? schema.examples ?? []).map(String);
  return {
    path,
    kind: kindOf(of, choices.length > 0),
    help: schema.description ?? of.description,
    choices,
    nullable,
  };
}

function kindOf(schema: Schema, hasChoices: boolean): Kind {
  const type = typesOf(schema).find(one => one !== 'null');
  if (type === 'boolean') return 'switch';
  if (type === 'object' || schema.items?.type === 'object') return 'json';
  if (type === 'array') return hasChoices ? 'several' : 'list';
  if (hasChoices) return 'choice';
  if (type !== 'number' && type !== 'integer') return 'text';
  return schema.unit === 'ms' ? 'time' : 'number';
}
