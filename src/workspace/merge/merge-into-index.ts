/**
 * Updates the user's index to contain a result. Other staged changes are kept. The new index is built in another file,
 * while the user's is locked (see lock-user-index.ts), and replaces it once the branch has moved.
 */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { copyIndex, indexFile } from '../git/copy-user-index.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { askGit, entryOf, git, type Repository, revParse, zJoin } from '../git/run-git.ts';
import { printedEntries } from '../git/tree-entries.ts';
import { affectedPaths, type MergeChange } from './paths-affected-by-merge.ts';

export interface Index {
  /** Paths with staged content that is in none of the trees and that the update would lose. */
  readonly conflicts: readonly string[];
  /**
   * Tree of the index if it contains versions that were already staged when the run began and that no other tree
   * contains, because their files were changed after they were staged. Otherwise null.
   */
  readonly stagedOnly: string | null;
  /** Builds the new index. */
  prepare(): Promise<void>;
  /** Replaces the user's index with the new one. */
  install(): Promise<void>;
  /** Whether HEAD no longer has the files on which the new index is based. */
  isHeadMoved(): Promise<boolean>;
}

/** Returns the folder for the new index and copies of the overwritten files. Its path depends only on the result. */
export const mergeFolder = (repo: Repository, to: string): string => join(repo.gitDir, `dure-kept-${to}`);

/** @param copy path for a copy of the current index */
export async function indexOf(repo: Repository, change: MergeChange, copy: string): Promise<Index> {
  const file = await indexFile(repo);
  const exists = await copyIndex(file, copy);
  const before = { env: { GIT_INDEX_FILE: copy } };
  const prepared = join(mergeFolder(repo, change.to), 'index');
  const after = { env: { GIT_INDEX_FILE: prepared } };
  const affected = await affectedPaths(repo, change);
  const ours = new Set(affected);
  const staged = exists ? await git(repo, ['write-tree'], before) : null;
  const inNoTree = staged === null ? [] : await differingFromAll(repo, staged, [change.to, ...change.from]);
  const unlikeStart = new Set(
    staged !== null && (await isStored(repo, change.staged))
      ? await changedFiles(repo, staged, change.staged!)
      : inNoTree,
  );
  const unknown = inNoTree.filter(path => ours.has(path));
  const conflicts = unknown.filter(path => unlikeStart.has(path));
  return {
    conflicts,
    stagedOnly: unknown.length > conflicts.length ? staged : null,
    async prepare() {
      await rm(prepared, { force: true });
      // A killed git process may have left its lock behind.
      await rm(`${prepared}.lock`, { force: true });
      await copyIndex(file, prepared);
      const input = zJoin(await entriesFor(repo, affected, change.to));
      await git(repo, ['update-index', '-z', '--add', '--index-info'], { ...after, input });
      // Only an optimization: it saves the next git command from reading every file.
      await askGit(repo, ['update-index', '-q', '--refresh'], after).catch(() => {});
    },
    install: () => rename(prepared, file),
    isHeadMoved: async () =>
      ((await revParse(repo, 'HEAD^{tree}')) ?? (await git(repo, ['mktree']))) !== change.from[0],
  };
}

/**
 * Replaces the index for a merge that was interrupted after the branch had moved. An index with other staged content at
 * the affected paths is left as it is.
 */
export const finishIndex = (repo: Repository, change: MergeChange): Promise<void> =>
  withTemporaryFolder('dure-index-', async dir => {
    // An index with unresolved conflicts has no tree.
    if (await git(repo, ['ls-files', '--unmerged'])) return;
    const index = await indexOf(repo, change, join(dir, 'staged'));
    if (index.conflicts.length > 0) return;
    await index.prepare();
    await index.install();
  });

/** Returns input for `git update-index --index-info` that sets these paths to their versions in a tree. */
async function entriesFor(repo: Repository, paths: readonly string[], tree: string): Promise<string[]> {
  const ours = new Set(paths);
  const entries = await printedEntries(args => git(repo, args), tree);
  const absent = `0 ${'0'.repeat(tree.length)}\t`;
  // Removals come first, because a file may have become a folder.
  return [...paths.map(path => absent + path), ...entries.filter(entry => ours.has(entryOf(entry).path))];
}

/** Returns the paths at which `tree` differs from each of the others. */
async function differingFromAll(
  repo: Repository,
  tree: string,
  others: readonly string[],
): Promise<string[]> {
  const [first = [], ...more] = await Promise.all(others.map(other => changedFiles(repo, tree, other)));
  return more.reduce((paths, next) => {
    const differing = new Set(next);
    return paths.filter(path => differing.has(path));
  }, first);
}

/**
 * Whether the repository has this tree. Git may have deleted it if nothing refers to it; `write-tree` stored it again
 * if the index is unchanged.
 */
const isStored = async (repo: Repository, tree: string | null): Promise<boolean> =>
  tree !== null && (await askGit(repo, ['cat-file', '-e', tree])) !== null;
