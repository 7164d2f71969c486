/** Updates the user's index to contain a result. Other staged changes are kept. */
import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DureError } from '../errors.ts';
import { changedFiles } from './diff.ts';
import { askGit, entryOf, git, type Repository, zJoin, zSplit } from './git.ts';
import { affectedPaths, type MergeChange } from './merge-change.ts';

export interface Index {
  /** Paths with staged content that is in none of the trees and that the update would lose. */
  readonly conflicts: readonly string[];
  /**
   * Tree of the index, if it has files that were staged like this when the run began and then changed further: their
   * staged versions are in no other tree. Otherwise null.
   */
  readonly stagedOnly: string | null;
  updateIndex(): Promise<void>;
  /** Restores what was staged before. */
  revertIndex(): Promise<void>;
}

/** @param copy path for a copy of the current index */
export async function indexOf(repo: Repository, change: MergeChange, copy: string): Promise<Index> {
  const file = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  const exists = await copyFile(file, copy).then(
    () => true,
    () => false,
  );
  const before = { env: { GIT_INDEX_FILE: copy } };
  const affected = await affectedPaths(repo, change);
  const absent = `0 ${'0'.repeat(change.to.length)}\t`;
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
    async updateIndex() {
      const entries = zSplit(await git(repo, ['ls-tree', '-r', '-z', '--full-tree', change.to]));
      const put = entries.filter(entry => ours.has(entryOf(entry).path));
      // Removals come first, because a file may have become a folder.
      await addToIndex(repo, [...affected.map(path => absent + path), ...put]);
      // Only an optimization, so that the next git command does not have to read every file.
      await askGit(repo, ['update-index', '-q', '--refresh'], { env: { GIT_OPTIONAL_LOCKS: '1' } }).catch(
        () => {},
      );
    },
    async revertIndex() {
      const entries = zSplit(await git(repo, ['ls-files', '--stage', '--full-name', '-z'], before));
      const back = entries.filter(entry => ours.has(entryOf(entry).path));
      await addToIndex(repo, [...affected.map(path => absent + path), ...back]);
    },
  };
}

/** Paths at which `tree` differs from each of the others. */
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

/** Git may have deleted a tree that nothing refers to. The tree of an unchanged index is stored again by then. */
const isStored = async (repo: Repository, tree: string | null): Promise<boolean> =>
  tree !== null && (await askGit(repo, ['cat-file', '-e', tree])) !== null;

/**
 * How long to wait, in milliseconds, for another git process to release the index lock. Editors hold it only briefly.
 */
const LOCK_TIMEOUT_MS = 5000;

async function addToIndex(repo: Repository, entries: readonly string[]): Promise<void> {
  const until = performance.now() + LOCK_TIMEOUT_MS;
  for (;;)
    try {
      await git(repo, ['update-index', '-z', '--add', '--index-info'], { input: zJoin(entries) });
      return;
    } catch (error) {
      if (!(error instanceof DureError) || !/index\.lock/.test(error.message) || performance.now() > until)
        throw error;
      await pause(100);
    }
}
