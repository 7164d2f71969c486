/**
 * Whole runs as readable transcripts. If one of these fails, run `npx vitest run test/runs.test.ts -u` and review the
 * diff: keep a change only if you know its cause and want it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replay } from './helpers/replay-transcript.ts';
import { removeTemplate } from './helpers/run-in-folder.ts';

vi.mock(import('../src/process/identity.ts'), async original => {
  const { withRunners } = await import('./helpers/fake-runners.ts');
  return withRunners(await original());
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());
afterAll(removeTemplate);

const folder = new URL('./runs/', import.meta.url);
const names = readdirSync(folder).filter(name => name.endsWith('.txt'));

test.each(names)('the transcript %s is unchanged', async name => {
  const file = new URL(name, folder).pathname;
  await expect(await replay(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
