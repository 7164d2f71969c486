/**
 * Finds the git directory of a worktree, and stores in it the names of files that the set-up left in the
 * worktree and that are not part of a result.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { replace } from '../formats/file.ts';
import type { Repository } from './git.ts';

/** Searches the repository's worktrees instead of trusting the `.git` pointer in the folder. */
export async function worktreeGitDir(repo: Repository, dir: string): Promise<string | null> {
  const pointer = join(await realpath(dir).catch(() => resolve(dir)), '.git');
  const all = join(repo.commonDir, 'worktrees');
  for (const id of await readdir(all).catch(() => [])) {
    const place = await readFile(join(all, id, 'gitdir'), 'utf8').catch(() => null);
    if (place !== null && resolve(all, id, place.trim()) === pointer) return join(all, id);
  }
  return null;
}

const EXCLUDED = 'dure-exclude';

/** `paths` are relative to the worktree. */
export async function excludeFromResults(
  repo: Repository,
  dir: string,
  paths: readonly string[],
): Promise<void> {
  const gitDir = await worktreeGitDir(repo, dir);
  if (gitDir === null) return;
  const lines = paths.map(path => `/${path.replace(/[\\*?[\] ]/g, '\\$&')}\n`);
  await replace(join(gitDir, EXCLUDED), lines.join(''));
}

/** Patterns in the format of `.gitignore`. */
export async function excludedFromResults(repo: Repository, dir: string): Promise<string> {
  const gitDir = await worktreeGitDir(repo, dir);
  return gitDir === null ? '' : readFile(join(gitDir, EXCLUDED), 'utf8').catch(() => '');
}
