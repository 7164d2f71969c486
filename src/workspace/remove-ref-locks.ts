/**
 * Removes the locks that a killed git left beside refs of a run. Git would never write these refs again. Only the driver
 * of the run writes them, so its successor waits for a git that is still running, and then removes the lock.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runBranch } from '../formats/layout.ts';
import type { Repository } from './git.ts';
import { packRef } from './pack-commit.ts';
import { sealRef } from './seal.ts';
import { worktreeGitDir } from './worktree-git-dir.ts';

/** Milliseconds. Git holds such a lock while it writes one line. */
const HELD_MS = 5000;

/** `worktree` is the folder in which the run's agents work. */
export async function removeRefLocks(repo: Repository, runId: string, worktree: string): Promise<void> {
  const left = await locksOf(repo, runId, worktree);
  for (const until = performance.now() + HELD_MS; left.some(existsSync) && performance.now() < until; )
    await pause(100);
  await Promise.all(left.map(lock => rm(lock, { force: true })));
}

async function locksOf(repo: Repository, runId: string, worktree: string): Promise<string[]> {
  const seals = join(repo.commonDir, sealRef(runId, ''));
  const names = await readdir(seals).catch(() => [] as string[]);
  const gitDir = await worktreeGitDir(repo, worktree);
  return [
    ...names.filter(name => name.endsWith('.lock')).map(name => join(seals, name)),
    `${join(repo.commonDir, packRef(runId))}.lock`,
    `${join(repo.commonDir, 'refs/heads', runBranch(runId))}.lock`,
    ...(gitDir === null ? [] : [join(gitDir, 'HEAD.lock')]),
  ].filter(existsSync);
}
