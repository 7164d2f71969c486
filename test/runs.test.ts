/**
 * Whole runs as prose that a person can review. When one of these fails, run `npx vitest run test/runs.test.ts -u` and
 * read the difference: keep it only when you know what caused it and want it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './helpers/transcript.ts';

const folder = new URL('./runs/', import.meta.url);
const names = readdirSync(folder).filter(name => name.endsWith('.txt'));

test.each(names)('%s goes as written', async name => {
  const file = new URL(name, folder).pathname;
  await expect(await replay(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
