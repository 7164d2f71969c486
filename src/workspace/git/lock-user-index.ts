/**
 * Locks the index of the user's working tree with `index.lock`, as git does, so that no git command that the user runs
 * changes the index or switches branches while a result is merged. The lock names the run: if Dure is killed, the next
 * approval of the run recognizes and removes it. Locks held by other programs are never removed.
 */
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { create } from '../../formats/read-and-write-files.ts';
import { indexFile } from './copy-user-index.ts';
import type { Repository } from './run-git.ts';

/**
 * How long to wait, in milliseconds, for another git process to release the lock. Editors hold it only briefly.
 */
const LOCK_TIMEOUT_MS = 5000;

/** Only one process at a time drives a run, so a lock with this content belongs to this process or to a dead one. */
const contentFor = (run: string): string =>
  `Dure is merging ${run}. If Dure was killed, run \`dure approve ${run}\` again.\n`;

export interface IndexLock {
  /** Holds the lock while `work` runs. Takes over a lock that an interrupted approval of the run left behind. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** False if the user removed the lock. */
  isHeld(): Promise<boolean>;
  /** Removes the lock if an interrupted approval of the run left it behind. */
  release(): Promise<void>;
}

/**
 * The path is determined at the start, so that the lock can be released even if git fails.
 *
 * @param refusal creates the error for a lock that another program holds
 */
export async function indexLock(
  repo: Repository,
  run: string,
  refusal: (lock: string) => Error,
): Promise<IndexLock> {
  const lock = `${await indexFile(repo)}.lock`;
  const isHeld = () => isLockOf(run, lock);
  const release = () => removeLock(run, lock);
  return {
    isHeld,
    release,
    async hold(work) {
      const until = performance.now() + LOCK_TIMEOUT_MS;
      while (!(await create(lock, contentFor(run))) && !(await isHeld())) {
        if (performance.now() > until) throw refusal(lock);
        await pause(100);
      }
      try {
        return await work();
      } finally {
        await release();
      }
    },
  };
}

/**
 * Removes the lock that a killed approval of the run left behind, in case the run is not approved again. Call this only
 * in the process that drives the run.
 */
export async function releaseIndexLock(repo: Repository, run: string): Promise<void> {
  if (!repo.shadow) await removeLock(run, `${await indexFile(repo)}.lock`);
}

async function removeLock(run: string, lock: string): Promise<void> {
  if (await isLockOf(run, lock)) await rm(lock, { force: true });
}

export const isLockOf = async (run: string, lock: string): Promise<boolean> =>
  (await readFile(lock, 'utf8').catch(unlessDiskFails(null))) === contentFor(run);
