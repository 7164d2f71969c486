/**
 * Whole runs as readable transcripts. If one of these fails, run `npx vitest run test/runs.test.ts -u` and review the
 * diff: keep a change only if you know its cause and want it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './helpers/transcript.ts';

const folder = new URL('./runs/', import.meta.url);
const names = readdirSync(folder).filter(name => name.endsWith('.txt'));

test.each(names)('the transcript %s is unchanged', async name => {
  const file = new URL(name, folder).pathname;
  await expect(await replay(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
