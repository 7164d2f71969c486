/** Writes a tree as files into a folder. Does not run configured programs, except the filters of `withProjectGit`. */
import { mkdir, readdir } from 'node:fs/promises';
import { type WithGit, withIsolatedGit } from './isolated-git.ts';
import type { Repository } from './run-git.ts';

/** `dir` must be missing or empty. It gets no `.git`. */
export async function writeTreeToFolder(
  repo: Repository,
  tree: string,
  dir: string,
  within: WithGit = withIsolatedGit,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length) throw new Error(`${dir} is not empty`);
  await within(repo, dir, isolated => isolated.git(['read-tree', '--reset', '-u', tree]));
}
