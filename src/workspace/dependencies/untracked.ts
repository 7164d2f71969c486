/** What an installation leaves in a tree must not become part of a result. */
import { lstat, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit, zSplit } from '../git.ts';

const LOCKFILE = /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|Cargo\.lock)$/;

/** What git would add: files, and folders with a slash at their end. Empty where there is no repository. */
export async function untrackedIn(checkout: string): Promise<Set<string>> {
  const args = [
    '-C',
    checkout,
    'ls-files',
    '--others',
    '--directory',
    '--no-empty-directory',
    '--exclude-standard',
    '-z',
  ];
  const answer = await runGit(args, { cwd: checkout }).catch(() => null);
  return new Set(answer?.code === 0 ? zSplit(answer.stdout.toString()) : []);
}

/**
 * New folders that git does not ignore get a `.gitignore` of their own; lockfiles that a project keeps none of go. Gives
 * the other files that are new.
 */
export async function hideFromGit(checkout: string, before: ReadonlySet<string>): Promise<string[]> {
  const left: string[] = [];
  for (const path of await untrackedIn(checkout)) {
    if (before.has(path)) continue;
    const full = join(checkout, path);
    if (path.endsWith('/')) {
      const ignore = join(full, '.gitignore');
      if (!(await lstat(ignore).catch(() => null))) await writeFile(ignore, '*\n');
    } else if (LOCKFILE.test(path)) await rm(full, { force: true });
    else left.push(path);
  }
  return left;
}
