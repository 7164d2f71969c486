/** Updates the user's index to contain a result. Other staged changes are kept. */
import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DureError } from '../errors.ts';
import { changedFiles } from './diff.ts';
import { askGit, entryOf, git, type Repository, zJoin, zSplit } from './git.ts';

/** The trees that the index may match before the update, and the tree of the result. */
export interface IndexChange {
  /** The last one is the tree of the base. */
  readonly from: readonly [string, ...string[]];
  readonly to: string;
}

export interface Index {
  /** Paths with staged content that is in none of the trees and that the update would lose. */
  conflicts(): Promise<string[]>;
  updateIndex(): Promise<void>;
  /** Restores what was staged before. */
  revertIndex(): Promise<void>;
}

/** @param copy path for a copy of the current index */
export async function indexOf(repo: Repository, change: IndexChange, copy: string): Promise<Index> {
  const file = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  const exists = await copyFile(file, copy).then(
    () => true,
    () => false,
  );
  const before = { env: { GIT_INDEX_FILE: copy } };
  const affected = await changedFiles(repo, change.from[0], change.to);
  const absent = `0 ${'0'.repeat(change.to.length)}\t`;
  return {
    async conflicts() {
      if (!exists) return [];
      const staged = await git(repo, ['write-tree'], before);
      const changed = new Set(await changedFiles(repo, staged, change.to));
      let conflicts = affected.filter(path => changed.has(path));
      for (const tree of change.from) {
        const differing = new Set(await changedFiles(repo, staged, tree));
        conflicts = conflicts.filter(path => differing.has(path));
      }
      return conflicts;
    },
    async updateIndex() {
      const raw = [
        'diff-tree',
        '-r',
        '-z',
        '--no-renames',
        '--raw',
        '--no-abbrev',
        change.from[0],
        change.to,
      ];
      const entries = zSplit(await git(repo, raw));
      const gone: string[] = [];
      const put: string[] = [];
      for (let i = 0; i + 1 < entries.length; i += 2) {
        const [, mode = '', , id = ''] = entries[i]!.split(' ');
        const path = entries[i + 1]!;
        // Mode 0 removes the path. Removals come first, because a file may have become a folder.
        if (/^0+$/.test(mode)) gone.push(absent + path);
        else put.push(`${mode} ${id}\t${path}`);
      }
      await addToIndex(repo, [...gone, ...put]);
      // Only an optimization, so that the next git command does not have to read every file.
      await askGit(repo, ['update-index', '-q', '--refresh'], { env: { GIT_OPTIONAL_LOCKS: '1' } }).catch(
        () => {},
      );
    },
    async revertIndex() {
      const ours = new Set(affected);
      const staged = zSplit(await git(repo, ['ls-files', '--stage', '--full-name', '-z'], before));
      const back = staged.filter(entry => ours.has(entryOf(entry).path));
      await addToIndex(repo, [...affected.map(path => absent + path), ...back]);
    },
  };
}

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
