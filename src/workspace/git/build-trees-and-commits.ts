/** Builds trees from objects in the index of an isolated git, without writing files, and commits them as Dure. */

import { type IsolatedGit, withIsolatedGit } from './isolated-git.ts';
import { type Repository, signedByDure, zJoin } from './run-git.ts';

/** Stores texts as blobs. Returns their tree entries, as `git ls-tree` prints them. */
export async function storeTexts(
  { git }: IsolatedGit,
  texts: Iterable<readonly [path: string, text: string]>,
): Promise<string[]> {
  const entries: string[] = [];
  for (const [path, input] of texts) {
    const id = await git(['hash-object', '-w', '--no-filters', '--stdin'], { input });
    entries.push(`100644 blob ${id}\t${path}`);
  }
  return entries;
}

/** Adds files to the index, and returns its tree. `entries` are as `git ls-tree -r` prints them. */
export async function treeWith({ git }: IsolatedGit, entries: readonly string[]): Promise<string> {
  await git(['update-index', '-z', '--index-info'], { input: zJoin(entries) });
  return git(['write-tree']);
}

export interface CommitByDure {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** ISO 8601. */
  readonly date: string;
}

/** Creates a commit that is on no branch, and returns its id. The same arguments give the same commit. */
export const commitTree = (
  { git }: IsolatedGit,
  { tree, parents, message, date }: CommitByDure,
): Promise<string> =>
  git(['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'], {
    input: `${message.trimEnd()}\n`,
    env: signedByDure(date),
  });

/** Like `commitTree`, for a tree that already exists in the repository. */
export const commitInRepository = (repo: Repository, of: CommitByDure): Promise<string> =>
  withIsolatedGit(repo, null, isolated => commitTree(isolated, of));
