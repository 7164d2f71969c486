/** Finds the git directory of a worktree. */
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { namesIn } from '../process/path-status.ts';
import type { Repository } from './git.ts';

/** Searches the repository's worktrees instead of trusting the `.git` pointer in the folder. */
export async function worktreeGitDir(repo: Repository, dir: string): Promise<string | null> {
  const pointer = join(await realpath(dir).catch(() => resolve(dir)), '.git');
  const all = join(repo.commonDir, 'worktrees');
  for (const id of await namesIn(all)) {
    const place = await readFile(join(all, id, 'gitdir'), 'utf8').catch(() => null);
    if (place !== null && resolve(all, id, place.trim()) === pointer) return join(all, id);
  }
  return null;
}
