/**
 * The key that chains the lines of events.log and proves that a decision was made with a command or on a
 * page. It is in Dure's state folder, which agents in a sandbox do not see. Without a sandbox, an agent can
 * read it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { unlessDiskFails } from '../../files/temporary-disk-errors.ts';
import type { ChainKey } from '../../formats/event-log-lines.ts';
import { shortHash } from '../../formats/hash.ts';
import { RUN_ID, timeInRunId } from '../../formats/layout.ts';
import { stateFolder, stateFolders } from '../../workspace/user-state-folder.ts';

export interface PrivateKey extends ChainKey {
  /** When the key was created, ISO 8601. Every run that started later names a key. */
  readonly since: string;
  readonly file: string;
}

const NAME = 'private.key';

/** This user's keys; usually there is only one. */
export const privateKeys = (): PrivateKey[] =>
  stateFolders().flatMap(folder => readKey(join(folder, NAME)) ?? []);

/** Null for a run from an earlier version. Throws `E_KEY`. */
export function keyOfRun(run: string, id: string | undefined): PrivateKey | null {
  const keys = privateKeys();
  const why = faultOf(keys, run, id);
  if (why !== null) throw dureError('E_KEY', { run, why });
  return keys.find(one => one.id === id) ?? null;
}

/**
 * Why the log and the decisions of a run cannot be checked; null if they can, or if an earlier version started it.
 */
export const keyFault = (run: string, id: string | undefined): string | null =>
  faultOf(privateKeys(), run, id);

function faultOf(keys: readonly PrivateKey[], run: string, id: string | undefined): string | null {
  if (id !== undefined)
    return keys.some(key => key.id === id)
      ? null
      : `its key (${id}) is not on this machine, or belongs to another user: ${join(stateFolders()[0]!, NAME)}`;
  const earlier = RUN_ID.test(run) && keys.find(({ since }) => run >= `run-${timeInRunId(since)}`);
  return earlier
    ? `it names no key, but the run started after ${earlier.file} was created: an earlier version of Dure started it, or someone replaced the log`
    : null;
}

/** The key for a new run. Creates it for the first run. */
export async function newRunKey(projectRoot: string): Promise<PrivateKey> {
  const file = join(await stateFolder(projectRoot), NAME);
  if (!readKey(file)) {
    const { create } = await import('../../formats/read-and-write-files.ts');
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
function readKey(file: string): PrivateKey | null {
  let opened: number | null = null;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { mode, uid, mtime } = fstatSync(opened);
    if ((mode & 0o077) !== 0 || (process.getuid && uid !== process.getuid())) return null;
    const secret = /^([0-9a-f]{64})\n$/.exec(readFileSync(opened, 'utf8'))?.[1];
    if (secret === undefined) return null;
    const id = shortHash(secret);
    return { id, secret, since: mtime.toISOString(), file };
  } catch (error) {
    return unlessDiskFails(null)(error);
  } finally {
    if (opened !== null) closeSync(opened);
  }
}
