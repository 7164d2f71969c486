/**
 * Stale locks, which a killed git left behind. Git would never write these refs again, and advises to remove the lock by
 * hand. Dure removes those of refs that only its runs write, never those of the user.
 */
import { relative } from 'node:path';
import type { Repository } from './git.ts';

const LOCK = /Unable to create '(.+\.lock)': File exists/;
/** Below the common git directory: refs of runs, and HEAD of a worktree in which agents work. */
const OF_RUNS = /^(?:refs\/(?:dure|heads\/dure)\/.+|worktrees\/run-[^/]+\/HEAD)\.lock$/;
const OF_SHADOW = /^(?:HEAD|refs\/.+)\.lock$/;

/** Path of the lock because of which git failed, from its message; null if there is none or it may be the user's. */
export function staleLock({ commonDir, shadow }: Repository, stderr: string): string | null {
  const lock = LOCK.exec(stderr)?.[1];
  if (lock === undefined) return null;
  const path = relative(commonDir, lock);
  return OF_RUNS.test(path) || (shadow && OF_SHADOW.test(path)) ? lock : null;
}
