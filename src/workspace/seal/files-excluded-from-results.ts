/**
 * Stores the names of files that the set-up left in a worktree and that are not part of a result. The names are kept
 * in the git directory of the worktree.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { replace } from '../../formats/read-and-write-files.ts';
import { worktreeGitDir } from '../git/open-repository.ts';
import type { Repository } from '../git/run-git.ts';

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

/** Returns the patterns for the excluded files, in the format of `.gitignore`. */
export async function excludedFromResults(repo: Repository, dir: string): Promise<string> {
  const gitDir = await worktreeGitDir(repo, dir);
  return gitDir === null ? '' : readFile(join(gitDir, EXCLUDED), 'utf8').catch(unlessDiskFails(''));
}
