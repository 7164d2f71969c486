/** Creates the folder in which a pack is opened and tested, and removes those that killed processes left behind. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { identityOf } from '../../process/identity.ts';
import type { Env } from '../../process/sandbox/toolchain.ts';
import { stateFolder } from '../../workspace/user-state-folder.ts';

/** Creates the folder in Dure's state folder, where tools find no configuration in a parent folder. */
export async function makeWorkingFolder(clone: string, env: Env): Promise<string> {
  const all = join(await stateFolder(clone, env), 'proofs');
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const name of await readdir(all))
    if (identityOf(Number(name.split('-')[0])) === null) await removeFolder(join(all, name));
  const place = join(all, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(place, { mode: 0o700 });
  return place;
}
