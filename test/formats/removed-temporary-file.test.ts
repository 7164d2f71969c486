import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { create, replace } from '../../src/formats/read-and-write-files.ts';

/** Removes the first temporary file for each name, as the check for stray files may do at any time. */
function sweep(dir: string): () => Promise<number> {
  const swept = new Set<string>();
  let on = true;
  const sweeping = (async () => {
    while (on)
      for (const name of await readdir(dir)) {
        const [wanted = ''] = /^.*\.json/.exec(name) ?? [];
        if (name === wanted || swept.has(wanted)) continue;
        swept.add(wanted);
        await rm(join(dir, name), { force: true });
      }
  })();
  return async () => {
    on = false;
    await sweeping;
    return swept.size;
  };
}

it.each([
  ['create', create],
  ['replace', replace],
] as const)('%s writes its file even if its first temporary file is removed', async (_, write) => {
  const dir = await mkdtemp(join(tmpdir(), 'dure-create-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const done = sweep(dir);
  const names = Array.from({ length: 150 }, (_, i) => join(dir, `vcr-${i}.json`));
  try {
    for (const name of names) await write(name, name);
  } finally {
    expect(await done()).toBeGreaterThan(0);
  }
  for (const name of names) expect(await readFile(name, 'utf8')).toBe(name);
});
