/**
 * A lock between processes, used because concurrent `git worktree` commands fail. The lock is a file that names its
 * holder; a dead holder does not count. It guards against accidents, not against attacks.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { statsOf } from '../formats/file-system/path-status.ts';
import { identity } from '../formats/launch.ts';
import { create, readText } from '../formats/read-and-write-files.ts';
import { isAlive, ownIdentity } from './identity.ts';

const queues = new Map<string, Promise<unknown>>();

/** Applies while another process holds the lock, not while earlier callers in this process have it or wait for it. */
export interface LockWait {
  /** Ends the wait: `locked` then rejects with the reason. */
  readonly signal: AbortSignal;
  /** Called at most once, with the pid of the holder, if the wait takes more than a few seconds. */
  readonly onSlow: (holder: number) => void;
}

const SLOW_MS = 3000;

/** Holds `file` while `work` runs. Callers in this process are queued in order. */
export function locked<T>(file: string, work: () => Promise<T>, wait?: LockWait): Promise<T> {
  const turn = (queues.get(file) ?? Promise.resolve()).then(async () => {
    await acquire(file, wait);
    try {
      return await work();
    } finally {
      await rm(file, { force: true });
    }
  });
  const settled = turn.catch(() => {});
  queues.set(file, settled);
  void settled.then(() => queues.get(file) === settled && queues.delete(file));
  return turn;
}

async function acquire(file: string, wait?: LockWait): Promise<void> {
  wait?.signal.throwIfAborted();
  let slowAt = performance.now() + SLOW_MS;
  while (!(await create(file, JSON.stringify(ownIdentity())))) {
    if (await isStale(file)) await removeStaleLock(file, () => isStale(file));
    else await pause(20);
    wait?.signal.throwIfAborted();
    if (performance.now() < slowAt) continue;
    slowAt = Number.POSITIVE_INFINITY;
    const holder = holderIn((await contentOf(file)) ?? '');
    if (holder) wait?.onSlow(holder.pid);
  }
}

/**
 * A holder that died while writing leaves an incomplete file; a live one completes it immediately. Throws
 * `E_FILE_UNREADABLE` for another user's file.
 */
async function isStale(file: string): Promise<boolean> {
  const first = await contentOf(file);
  if (first === null) return false;
  const holder = holderIn(first);
  if (holder) return !isAlive(holder);
  await pause(1000);
  return (await contentOf(file)) === first;
}

/** Null if the file is missing; empty for a link or a folder, which counts as a lock without a holder. */
async function contentOf(file: string): Promise<string | null> {
  try {
    return await readText(file);
  } catch (error) {
    if ((await statsOf(file))?.isFile()) throw error;
    return '';
  }
}

function holderIn(text: string) {
  try {
    return identity.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Removes a lock whose holder is dead, while holding the lock `file.break`. It checks `isStale` again, because another
 * process may have removed the stale lock and taken it since the caller checked.
 */
export const removeStaleLock = (file: string, isStale: () => Promise<boolean>): Promise<void> =>
  locked(`${file}.break`, async () => {
    if (await isStale()) await rm(file, { force: true, recursive: true });
  });
