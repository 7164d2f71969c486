/**
 * Limits the age, number and size of entries in Dure's state folder. Entries used within the last two hours are
 * always kept, because a set-up or a test may be reading them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namesIn, statsOfTarget } from '../formats/file-system/path-status.ts';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import { elapsedSince } from '../process/timestamp-age.ts';
import { diskUse } from './disk-use.ts';

export interface FolderLimits {
  readonly unused_ms: number;
  readonly maxEntries: number;
  readonly bytes: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IN_USE_MS = 2 * HOUR_MS;
const GB = 1_000_000_000;

export const STATE_LIMITS = {
  prepared: { unused_ms: 14 * DAY_MS, maxEntries: 12, bytes: 10 * GB },
  stores: { unused_ms: 60 * DAY_MS, maxEntries: 100, bytes: 10 * GB },
  tools: { unused_ms: 60 * DAY_MS, maxEntries: 12, bytes: 2 * GB },
  compiled: { unused_ms: 14 * DAY_MS, maxEntries: 12, bytes: 10 * GB },
  'check-runs': { unused_ms: 30 * DAY_MS, maxEntries: 1000, bytes: GB / 2 },
} as const satisfies Readonly<Record<string, FolderLimits>>;

/** Applies all limits, at most once a day. */
export async function limitStateFolder(stateFolder: string): Promise<void> {
  const mark = join(stateFolder, 'limits-kept');
  const last = await statsOfTarget(mark);
  if (last && elapsedSince(last.mtimeMs) < DAY_MS) return;
  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  await writeFile(mark, '');
  for (const [name, limits] of Object.entries(STATE_LIMITS))
    await enforceLimits(join(stateFolder, name), limits);
}

/** Removes the oldest entries of a folder until the remaining ones are within the limits. */
export async function enforceLimits(folder: string, limits: FolderLimits): Promise<void> {
  const now = Date.now();
  const names = (await namesIn(folder)).filter(name => !name.endsWith('.lock'));
  const found = await Promise.all(
    names.map(async name => {
      const of = await statsOfTarget(join(folder, name));
      return of ? [{ path: join(folder, name), age: now - of.mtimeMs }] : [];
    }),
  );
  const entries = found.flat().sort((a, b) => b.age - a.age);
  const sizes = await diskUse(entries.map(entry => entry.path));
  let left = entries.length;
  let bytes = entries.reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0);
  for (const { path, age } of entries) {
    const isTooMuch = age > limits.unused_ms || left > limits.maxEntries || bytes > limits.bytes;
    if (age < IN_USE_MS || !isTooMuch) return;
    await remove(path);
    left -= 1;
    bytes -= sizes.get(path) ?? 0;
  }
}

/** Marks entries as used. */
export async function touch(paths: readonly string[]): Promise<void> {
  const now = new Date();
  await Promise.all(paths.map(path => utimes(path, now, now).catch(() => {})));
}

/** Renames the entry first, so that no other process finds it partly removed. */
async function remove(path: string): Promise<void> {
  const renamed = join(dirname(path), `removed-${randomUUID().slice(0, 8)}`);
  const isOurs = await rename(path, renamed).then(
    () => true,
    () => false,
  );
  if (isOurs) await removeFolder(renamed);
}
