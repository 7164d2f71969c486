/** The generated documents are up to date. `npx vitest run test/docs -u` regenerates them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  CONFIG_FILES,
  commandsPage,
  configurationPage,
  errorsPage,
  settingsOf,
} from '../../scripts/generate-docs.mjs';
import * as errors from '../../src/errors.ts';
import { type ConfigName, configFiles } from '../../src/formats/config/config.ts';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';

test('docs/commands.md matches the command help', async () => {
  const manifest = JSON.parse(await readFile(join(packageRoot, 'oclif.manifest.json'), 'utf8'));
  await expect(commandsPage(manifest)).toMatchFileSnapshot('../../docs/commands.md');
});

const schemas = (CONFIG_FILES as ConfigName[]).map(name => jsonSchema(configFiles[name]));

test('docs/configuration.md lists every key of every config file', async () => {
  expect([...CONFIG_FILES].sort()).toEqual(Object.keys(configFiles).sort());
  const page: string = configurationPage(schemas);
  for (const key of ['max_iterations', 'checks[].command', 'server.idle_minutes', 'style.code_style'])
    expect(page).toContain(`| \`${key}\` |`);
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});

test('every key of every config file has a description', () => {
  const settings = schemas.flatMap((schema, i) =>
    (settingsOf(schema) as [string, { description?: string }][]).map(
      ([key, { description = '' }]) => [`${CONFIG_FILES[i]}.${key}`, description.trim()] as const,
    ),
  );
  expect(settings.length).toBeGreaterThan(50);
  expect(settings.flatMap(([key, meaning]) => (meaning.length < 10 ? [key] : []))).toEqual([]);
});

test('docs/errors.md lists every error and every exit status', async () => {
  const page: string = errorsPage(errors);
  for (const code of errors.ERROR_CODES) expect(page).toContain(`### ${code}\n`);
  await expect(page).toMatchFileSnapshot('../../docs/errors.md');
});
