/**
 * Generates the type declarations of Dure's public entry for plugin authors. The main entry imports no
 * packages, so authors need neither zod nor oclif: it is src/index.ts as emitted by the compiler, but the
 * types of file formats, which the compiler would infer from zod schemas, are generated from JSON Schemas.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { evaluated } from './evaluate-module.mjs';

const root = resolve(import.meta.dirname, '..');

/** The path that package.json exports, and the one that the compiler emits. */
const ENTRIES = { 'index.d.ts': 'index.d.ts', 'oclif.d.ts': 'plugins/oclif-hook-types.d.ts' };

/** Writes the declarations into `dir`. */
export async function writeTypes(dir) {
  const emitted = `${dir}-emitted`;
  rmSync(emitted, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(root, 'tsconfig.types.json'), '--outDir', emitted], { stdio: 'inherit' });
  const put = (name, text) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  for (const [name, source] of Object.entries(ENTRIES)) {
    const text = readFileSync(join(emitted, source), 'utf8').replace("from 'zod'", "from './zod.js'");
    // Every module resolution mode understands the extension `.js`.
    put(name, text.replace(/from '\.\.?(\/[^']*)\.ts'/g, "from '.$1.js'"));
  }
  put('zod.d.ts', ZOD);
  const { PUBLIC } = await evaluated(join(root, 'src/formats/schema/public-type-schemas.ts'));
  for (const [name, types] of Object.entries(PUBLIC)) {
    const said = Object.entries(types).map(
      ([type, schema]) => `${about(schema)}export type ${type} = ${typeOf(schema)};\n`,
    );
    put(`formats/${name}.d.ts`, said.join(''));
  }
  for (const name of Object.keys(ENTRIES))
    for (const [, path] of readFileSync(join(dir, name), 'utf8').matchAll(/from '(\.[^']*)\.js'/g))
      if (!existsSync(join(dir, dirname(name), `${path}.d.ts`)))
        throw new Error(`${name} imports ${path}, which is not generated; see public-type-schemas.ts`);
  rmSync(emitted, { recursive: true, force: true });
}

const ZOD = `/** A schema from any version or copy of zod; any object with a compatible safeParse works. */
export interface ZodType {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } };
}
`;

const about = ({ description }) => (description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '');

const PLAIN = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };

function typeOf(schema) {
  const { type, anyOf, oneOf, items, properties } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (anyOf ?? oneOf) return (anyOf ?? oneOf).map(one => `(${typeOf(one)})`).join(' | ');
  if (Array.isArray(type)) return type.map(one => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `(${typeOf(items ?? {})})[]`;
  if (properties) return objectOf(schema);
  if (type === 'object') return `Record<string, ${typeOf(schema.additionalProperties || {})}>`;
  return PLAIN[type] ?? 'unknown';
}

const objectOf = ({ properties, required = [] }) => {
  const lines = Object.entries(properties).map(([key, schema]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    const optional = required.includes(key) ? [':', ''] : ['?:', ' | undefined'];
    return `${about(schema)}${name}${optional[0]} ${typeOf(schema)}${optional[1]};`;
  });
  return `{\n${lines.join('\n').replace(/^/gm, '  ')}\n}`;
};
