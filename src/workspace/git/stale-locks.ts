/**
 * Finds stale locks left behind by a killed git process. Git refuses to write a locked ref and advises the user to
 * remove the lock by hand. Dure removes only locks on refs that only its runs write, never locks on the user's refs.
 */
import { relative } from 'node:path';

const LOCK = /Unable to create '(.+\.lock)': File exists/;
/** Locks below the common git directory: on refs of runs, and on HEAD of a worktree in which agents work. */
const OF_RUNS = /^(?:refs\/(?:dure|heads\/dure)\/.+|worktrees\/run-[^/]+\/HEAD)\.lock$/;
const OF_SHADOW = /^(?:HEAD|refs\/.+)\.lock$/;

/** Returns the path of the lock that git's message names; null if it names none, or one that may be the user's. */
export function staleLock(
  { commonDir, shadow }: { readonly commonDir: string; readonly shadow: boolean },
  stderr: string,
): string | null {
  const lock = LOCK.exec(stderr)?.[1];
  if (lock === undefined) return null;
  const path = relative(commonDir, lock);
  return OF_RUNS.test(path) || (shadow && OF_SHADOW.test(path)) ? lock : null;
}
