/**
 * The published JSON Schemas match the shapes. After an intended change: `npx vitest run test/formats/schemas.test.ts
 * -u`.
 */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import { FORMATS } from './every-format.ts';

const folder = new URL('../../schemas/', import.meta.url).pathname;
/** `crp/crp-*.json` is `crp.json`, `config/global.json` is `config-global.json`. */
const published = (name: string): string => {
  const [file = '', place] = name.replace('.json', '').split('/').reverse();
  const plain = file.replace(/-?\*\.?/, '');
  const kind = plain || (place === 'decisions' ? 'decision' : place === 'launches' ? 'launch' : 'cassette');
  return `${place === 'config' || place === 'requests' ? `${place === 'requests' ? 'request' : place}-` : ''}${kind}.json`;
};

test.each(FORMATS.map(format => [format.name, format] as const))(
  'the published schema of %s is up to date',
  async (name, format) => {
    const text = `${JSON.stringify(jsonSchema(format), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${folder}${published(name)}`);
  },
);

test('each format has exactly one schema', () => {
  const names = FORMATS.map(format => published(format.name));
  expect(new Set(names).size).toBe(names.length);
  const files = readdirSync(folder).filter(name => name.endsWith('.json'));
  expect(files.sort()).toEqual([...names].sort());
});

test('a schema contains its file name, draft and description', () => {
  for (const format of FORMATS)
    expect(jsonSchema(format)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: format.name,
      description: format.about,
    });
});
