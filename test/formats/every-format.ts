/** Every file format, found by listing the modules, so that none is forgotten. */
import { readdirSync } from 'node:fs';
import type { FileFormat } from '../../src/formats/schema/define-file.ts';

const folder = new URL('../../src/formats/', import.meta.url);

const isFormat = (value: unknown): value is FileFormat =>
  typeof value === 'object' && value !== null && 'about' in value && 'shape' in value && 'name' in value;

async function found(): Promise<FileFormat[]> {
  const modules = await Promise.all(
    (readdirSync(folder, { recursive: true }) as string[])
      // The output of commands is not a file.
      .filter(name => name.endsWith('.ts') && !name.startsWith('output/'))
      .map(
        name => import(/* @vite-ignore */ new URL(name, folder).pathname) as Promise<Record<string, unknown>>,
      ),
  );
  const values = modules.flatMap(module => Object.values(module));
  const formats = values.flatMap(value => (isFormat(value) ? [value] : nested(value)));
  return [...new Map(formats.map(format => [format.name, format])).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

const nested = (value: unknown): FileFormat[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isFormat) : [];

export const FORMATS: readonly FileFormat[] = await found();

export const formatNamed = (name: string): FileFormat => FORMATS.find(format => format.name === name)!;
