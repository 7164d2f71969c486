/**
 * The person's files at the moment a result is to be written over them. Looks first, at every file in question, and
 * writes only what was looked at: git itself refuses a file that changed in between.
 *
 * In the person's own checkout their filters run, as in any checkout (Git LFS needs them), and only the files that the
 * result changes matter. A folder without a repository has to be as a whole what the run began with.
 */
import { copyFile, lstat, mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles } from './diff.ts';
import { askGit, type GitOptions, git, gitBytes, type Repository, zJoin, zSplit } from './git.ts';
import { inRoom } from './room.ts';
import { projectChoice, stage } from './stage.ts';

interface Change {
  /** Trees the files may be at; the last one is what the run began with. */
  readonly from: readonly [string, ...string[]];
  readonly to: string;
}

export interface Landing {
  /** The files as they are. */
  readonly tree: string;
  /** Paths that are neither as the run found them nor as it left them. */
  readonly conflicts: readonly string[];
  /** What is there, and what would be written. Null: no ordinary file. */
  present(path: string): Promise<Buffer | null>;
  wanted(path: string): Promise<Buffer | null>;
  write(): Promise<void>;
  settleIndex(): Promise<void>;
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;
const LITERALLY = { GIT_LITERAL_PATHSPECS: '1' };

/** In the person's checkout. `from` is [files of HEAD, files of the base]: with `--include-changes` they differ. */
export async function onCheckout(
  repo: Repository,
  change: Change,
  work: (landing: Landing) => Promise<void>,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-landing-'));
  try {
    const env = { GIT_INDEX_FILE: join(dir, 'index'), ...LITERALLY };
    const at: Git = (args, options) => git(repo, args, { ...options, env: { ...env, ...options?.env } });
    const before = change.from.at(-1)!;
    const touched = await changedFiles(repo, before, change.to);
    await at(['read-tree', before]);
    const known = new Set(zSplit(await at(['ls-files', '-z'])));
    const there: string[] = [];
    for (const path of touched) if (known.has(path) || (await isThere(repo, path))) there.push(path);
    if (there.length)
      await at(['add', '--all', '--force', '--pathspec-from-file=-', '--pathspec-file-nul'], {
        input: zJoin(there),
      });
    const tree = await at(['write-tree']);
    const staged = await stagedConflicts(repo, change, dir);
    const files = await neither(repo, tree, before, change.to);
    await work({
      tree,
      conflicts: [...new Set([...files, ...staged])],
      present: path => presentIn(repo, path),
      wanted: path => filtered(repo, change.to, path),
      write: async () => void (await at(['read-tree', '-m', '-u', tree, change.to])),
      settleIndex: () => settle(repo, change),
    });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** In a folder whose only repository is Dure's. */
export async function atFolder(
  repo: Repository,
  change: Change,
  work: (landing: Landing) => Promise<void>,
): Promise<void> {
  await inRoom(repo, repo.workTree, async room => {
    await stage(repo, room, repo.workTree, null, projectChoice(repo));
    const tree = await room.git(['write-tree']);
    await work({
      tree,
      conflicts: await neither(repo, tree, change.from[0], change.to),
      present: path => presentIn(repo, path),
      wanted: async path => room.bytes(['cat-file', '--filters', `${change.to}:${path}`]).catch(() => null),
      write: async () => void (await room.git(['read-tree', '-m', '-u', tree, change.to])),
      settleIndex: async () => {},
    });
  });
}

/** Paths in which `tree` is neither `before` nor `after`. */
async function neither(repo: Repository, tree: string, before: string, after: string): Promise<string[]> {
  const unlikeAfter = new Set(await changedFiles(repo, tree, after));
  return (await changedFiles(repo, before, tree)).filter(path => unlikeAfter.has(path));
}

/** Paths staged by the person with content that is in none of the trees: putting the result there would lose it. */
async function stagedConflicts(repo: Repository, change: Change, dir: string): Promise<string[]> {
  const copy = join(dir, 'staged');
  const index = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  const exists = await copyFile(index, copy).then(
    () => true,
    () => false,
  );
  if (!exists) return [];
  const staged = await git(repo, ['write-tree'], { env: { GIT_INDEX_FILE: copy } });
  const concerned = new Set(await changedFiles(repo, change.from[0], change.to));
  let conflicts = (await changedFiles(repo, staged, change.to)).filter(path => concerned.has(path));
  for (const tree of change.from) {
    const unlike = new Set(await changedFiles(repo, staged, tree));
    conflicts = conflicts.filter(path => unlike.has(path));
  }
  return conflicts;
}

/** Puts the result into the person's index and leaves alone what else is staged there. */
async function settle(repo: Repository, change: Change): Promise<void> {
  const raw = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', change.from[0], change.to];
  const entries = zSplit(await git(repo, raw));
  const gone: string[] = [];
  const put: string[] = [];
  for (let i = 0; i + 1 < entries.length; i += 2) {
    const [, mode = '', , id = ''] = entries[i]!.split(' ');
    const path = entries[i + 1]!;
    // Mode 0 takes the path out. That comes first: a file may have become a folder.
    if (/^0+$/.test(mode)) gone.push(`0 ${'0'.repeat(id.length)}\t${path}`);
    else put.push(`${mode} ${id}\t${path}`);
  }
  await git(repo, ['update-index', '-z', '--add', '--index-info'], { input: zJoin([...gone, ...put]) });
  await askGit(repo, ['update-index', '-q', '--refresh'], { env: { GIT_OPTIONAL_LOCKS: '1' } });
}

/**
 * Of the conflicts those that an attempt cut short left behind: a file that is gone, or the beginning of the file that
 * was being written. Only to be asked when there was such an attempt.
 */
export async function tornFiles(landing: Landing): Promise<string[]> {
  const torn: string[] = [];
  for (const path of landing.conflicts) {
    const [present, wanted] = [await landing.present(path), await landing.wanted(path)];
    if (wanted && (!present || wanted.subarray(0, present.length).equals(present))) torn.push(path);
  }
  return torn;
}

const isThere = (repo: Repository, path: string): Promise<boolean> =>
  lstat(join(repo.workTree, path)).then(
    () => true,
    () => false,
  );

async function presentIn(repo: Repository, path: string): Promise<Buffer | null> {
  const full = join(repo.workTree, path);
  const stats = await lstat(full).catch(() => null);
  if (stats?.isSymbolicLink()) return Buffer.from(await readlink(full));
  return stats?.isFile() ? readFile(full) : null;
}

const filtered = (repo: Repository, tree: string, path: string): Promise<Buffer | null> =>
  gitBytes(repo, ['cat-file', '--filters', `${tree}:${path}`]).catch(() => null);
