/** Prepared folders that were not used for long, and the oldest of too many, are removed. */
import { randomUUID } from 'node:crypto';
import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { erase } from '../../process/erase.ts';

const DAY_MS = 86_400_000;
const UNUSED_MS = 14 * DAY_MS;
/** A set-up that copies from a folder has used it within this time. */
const IN_USE_MS = DAY_MS / 12;
const MOST = 12;

/** `keep` is one that was just made. */
export async function removeOldPrepared(folder: string, keep: string): Promise<void> {
  const now = Date.now();
  const all = await Promise.all(
    (await readdir(folder))
      .filter(name => !name.endsWith('.lock'))
      .map(async name => {
        const found = await stat(join(folder, name)).catch(() => null);
        return { name, age: found ? now - found.mtimeMs : 0 };
      }),
  );
  // What was cut off while it was made counts as any other.
  const resting = all
    .filter(({ name, age }) => name !== keep && age > IN_USE_MS)
    .sort((a, b) => b.age - a.age);
  const tooMany = all.length - MOST;
  for (const [i, { name, age }] of resting.entries()) {
    if (age < UNUSED_MS && i >= tooMany) continue;
    const away = join(folder, `removed-${randomUUID().slice(0, 8)}`);
    if (
      await rename(join(folder, name), away).then(
        () => true,
        () => false,
      )
    )
      await erase(away);
  }
}
