/** Prevents files that an installation leaves in a tree from becoming part of the result. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { printedIn, zSplit } from '../git/run-git.ts';

const LOCKFILE = /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|Cargo\.lock)$/;

/**
 * Lists untracked files and folders that git does not ignore; folders end with a slash. Empty without a repository.
 */
export async function untrackedIn(checkout: string): Promise<Set<string>> {
  const untracked = ['--others', '--directory', '--no-empty-directory', '--exclude-standard'];
  return new Set(zSplit((await printedIn(checkout, ['ls-files', '-z', ...untracked])) ?? ''));
}

/**
 * Adds a `.gitignore` to new folders that git does not ignore, and removes new lockfiles, which the project does not
 * use. Returns the other new files.
 */
export async function keepOutOfResults(checkout: string, before: ReadonlySet<string>): Promise<string[]> {
  const left: string[] = [];
  for (const path of await untrackedIn(checkout)) {
    if (before.has(path)) continue;
    const full = join(checkout, path);
    if (path.endsWith('/')) {
      const ignore = join(full, '.gitignore');
      if (!(await statsOf(ignore))) await writeFile(ignore, '*\n');
    } else if (LOCKFILE.test(path)) await rm(full, { force: true });
    else left.push(path);
  }
  return left;
}
