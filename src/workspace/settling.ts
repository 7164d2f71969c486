/** The person's index when a result is put into it. What else is staged there stays as it is. */
import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DureError } from '../errors.ts';
import { changedFiles } from './diff.ts';
import { askGit, git, type Repository, zJoin, zSplit } from './git.ts';

/** Trees the index may be at, and what it is to hold. */
export interface Change {
  /** The last one is what the run began with. */
  readonly from: readonly [string, ...string[]];
  readonly to: string;
}

export interface Index {
  /** Paths staged by the person with content that is in none of the trees: putting the result there would lose it. */
  conflicts(): Promise<string[]>;
  settle(): Promise<void>;
  /** Puts back what was staged before. */
  unsettle(): Promise<void>;
}

/** @param copy file that keeps the index as it is now */
export async function indexOf(repo: Repository, change: Change, copy: string): Promise<Index> {
  const file = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  const exists = await copyFile(file, copy).then(
    () => true,
    () => false,
  );
  const before = { env: { GIT_INDEX_FILE: copy } };
  const concerned = await changedFiles(repo, change.from[0], change.to);
  const absent = `0 ${'0'.repeat(change.to.length)}\t`;
  return {
    async conflicts() {
      if (!exists) return [];
      const staged = await git(repo, ['write-tree'], before);
      const changed = new Set(await changedFiles(repo, staged, change.to));
      let conflicts = concerned.filter(path => changed.has(path));
      for (const tree of change.from) {
        const unlike = new Set(await changedFiles(repo, staged, tree));
        conflicts = conflicts.filter(path => unlike.has(path));
      }
      return conflicts;
    },
    async settle() {
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
        // Mode 0 takes the path out. That comes first: a file may have become a folder.
        if (/^0+$/.test(mode)) gone.push(absent + path);
        else put.push(`${mode} ${id}\t${path}`);
      }
      await fill(repo, [...gone, ...put]);
      // Only spares the next git a look at every file.
      await askGit(repo, ['update-index', '-q', '--refresh'], { env: { GIT_OPTIONAL_LOCKS: '1' } }).catch(
        () => {},
      );
    },
    async unsettle() {
      const ours = new Set(concerned);
      const staged = zSplit(await git(repo, ['ls-files', '--stage', '--full-name', '-z'], before));
      const back = staged.filter(entry => ours.has(entry.slice(entry.indexOf('\t') + 1)));
      await fill(repo, [...concerned.map(path => absent + path), ...back]);
    },
  };
}

/** Milliseconds that another git may keep the index to itself: an editor that looks at it lets go in no time. */
const PATIENCE_MS = 5000;

async function fill(repo: Repository, entries: readonly string[]): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      await git(repo, ['update-index', '-z', '--add', '--index-info'], { input: zJoin(entries) });
      return;
    } catch (error) {
      if (!(error instanceof DureError) || !/index\.lock/.test(error.message) || Date.now() > until)
        throw error;
      await pause(100);
    }
}
