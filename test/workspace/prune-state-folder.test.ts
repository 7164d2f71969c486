/** Entries of the state folder are limited in age, number and size. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enforceLimits, limitStateFolder, touch } from '../../src/workspace/prune-state-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-limits-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const HOUR = 3_600_000;
const AMPLE = { unused_ms: 1000 * HOUR, maxEntries: 100, bytes: 1e12 };

/** An entry of about `kilobytes`, last used some hours ago. */
async function entry(path: string, hours: number, kilobytes = 1): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, path, 'file'), Buffer.alloc(kilobytes * 1024, 'x'));
  const then = new Date(Date.now() - hours * HOUR);
  await utimes(join(folder, path), then, then);
}
const left = async (below = '.') => (await readdir(join(folder, below))).sort();

it('entries that have not been used for a long time are removed', async () => {
  await entry('old', 20);
  await entry('new', 10);
  await enforceLimits(folder, { ...AMPLE, unused_ms: 15 * HOUR });
  expect(await left()).toEqual(['new']);
});

it('the oldest entries are removed when there are too many or their total size is too large', async () => {
  for (const [name, hours] of [
    ['a', 30],
    ['b', 20],
    ['c', 10],
  ] as const)
    await entry(name, hours, 1000);
  await enforceLimits(folder, { ...AMPLE, maxEntries: 2 });
  expect(await left()).toEqual(['b', 'c']);
  await enforceLimits(folder, { ...AMPLE, bytes: 1_500_000 });
  expect(await left()).toEqual(['c']);
});

it('entries in use are kept, whatever their size', async () => {
  await entry('used', 50, 1000);
  await touch([join(folder, 'used'), join(folder, 'absent')]);
  await enforceLimits(folder, { unused_ms: 0, maxEntries: 0, bytes: 0 });
  expect(await left()).toEqual(['used']);
});

it('the whole state folder is checked at most once a day', async () => {
  await entry('check-runs/old', 24 * 100);
  await entry('stores/npm', 24 * 100);
  await limitStateFolder(folder);
  expect(await left('check-runs')).toEqual([]);
  expect(await left('stores')).toEqual([]);
  await entry('check-runs/old', 24 * 100);
  await limitStateFolder(folder);
  expect(await left('check-runs')).toEqual(['old']);
});
