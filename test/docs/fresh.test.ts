/** The pages that repeat what the program says are what it says now: `npx vitest run test/docs -u` writes them anew. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsPage, errorsPage } from '../../scripts/docs.mjs';
import * as errors from '../../src/errors.ts';
import { packageRoot } from '../../src/package-root.ts';

test('docs/commands.md says what the commands say of themselves', async () => {
  const manifest = JSON.parse(await readFile(join(packageRoot, 'oclif.manifest.json'), 'utf8'));
  await expect(commandsPage(manifest)).toMatchFileSnapshot('../../docs/commands.md');
});

test('docs/errors.md has every error of the table, and every exit status', async () => {
  const page: string = errorsPage(errors);
  for (const code of errors.ERROR_CODES) expect(page).toContain(`### ${code}\n`);
  await expect(page).toMatchFileSnapshot('../../docs/errors.md');
});
