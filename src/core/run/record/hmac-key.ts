/**
 * The key that chains the lines of events.log and proves that a decision was made with a command or on a
 * page. It is in Dure's state folder, which agents in a sandbox do not see. Without a sandbox, an agent can
 * read it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dureError } from '../../../errors.ts';
import type { ChainKey } from '../../../formats/events/event-log-lines.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { shortHash } from '../../../formats/text/sha256.ts';
import { stateFolder, stateFolders } from '../../../workspace/user-state-folder.ts';

const NAME = 'private.key';

/** Returns the keys that a process of this user finds with this environment; usually there is only one. */
export const privateKeys = (env: NodeJS.ProcessEnv = process.env): ChainKey[] =>
  stateFolders(env).flatMap(folder => readKey(join(folder, NAME)) ?? []);

/** Throws `E_KEY`. */
export function keyOfRun(run: string, id: string): ChainKey {
  const key = privateKeys().find(one => one.id === id);
  if (!key) throw dureError('E_KEY', { run, why: keyMissing(id) });
  return key;
}

/** Returns why the log and the decisions of a run with this key cannot be checked; null if they can. */
export const keyFault = (id: string): string | null =>
  privateKeys().some(key => key.id === id) ? null : keyMissing(id);

const keyMissing = (id: string): string =>
  `its key (${id}) is not on this machine, or belongs to another user: ${join(stateFolders()[0]!, NAME)}`;

/** Returns the key for a new run. Creates the key if there is none yet. */
export async function newRunKey(projectRoot: string): Promise<ChainKey> {
  const file = join(await stateFolder(projectRoot), NAME);
  if (!readKey(file)) {
    const { create } = await import('../../../formats/read-and-write-files.ts');
    await create(file, `${randomBytes(32).toString('hex')}\n`, 0o600);
  }
  const key = readKey(file);
  if (!key)
    throw dureError('E_FILE_UNREADABLE', {
      file,
      why: 'it must contain a key and be accessible only to you',
    });
  return key;
}

/** Null if there is none, or if other users can read or write it. Throws if the disk fails. */
function readKey(file: string): ChainKey | null {
  let opened: number | null = null;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { mode, uid } = fstatSync(opened);
    if ((mode & 0o077) !== 0 || (process.getuid && uid !== process.getuid())) return null;
    const secret = /^([0-9a-f]{64})\n$/.exec(readFileSync(opened, 'utf8'))?.[1];
    if (secret === undefined) return null;
    return { id: shortHash(secret), secret };
  } catch (error) {
    return unlessDiskFails(null)(error);
  } finally {
    if (opened !== null) closeSync(opened);
  }
}
