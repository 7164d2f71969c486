/**
 * The person's files at the moment a result is to be written over them. Looks first, at every file in question and at
 * all that stands in its way, and writes only what was looked at: git itself refuses a file that changed in between.
 *
 * In the person's own checkout their filters run, as in any checkout (Git LFS needs them), and only the files that the
 * result changes matter. A folder without a repository has to be as a whole what the run began with.
 */
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles } from './diff.ts';
import { type GitOptions, git, gitBytes, type Repository, zJoin, zSplit } from './git.ts';
import { type Failure, type Putting, put } from './putting.ts';
import { inRoom, type Room } from './room.ts';
import { type Change, indexOf } from './settling.ts';
import { projectChoice, stage } from './stage.ts';
import { standing, statsOf } from './standing.ts';

export interface Landing {
  /** The files as they are. */
  readonly tree: string;
  /** Paths that are neither as the run found them nor as it left them. */
  readonly conflicts: readonly string[];
  /** The bytes at a path; none where nothing is. Null: a folder or the like. */
  present(path: string): Promise<Buffer | null>;
  /** What would be written there. Null: no file. */
  wanted(path: string): Promise<Buffer | null>;
  /** Writes the result and does `then`, both or neither. Null: both are done. */
  put(then: () => Promise<void>): Promise<Failure | null>;
}

/** What a look has found. */
interface Look {
  readonly tree: string;
  /** Paths of files that are not in the tree, and would be lost. */
  readonly unknown: readonly string[];
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;
const LITERALLY = { GIT_LITERAL_PATHSPECS: '1' };

/** In the person's checkout. `from` is [files of HEAD, files of the base]: with `--include-changes` they differ. */
export async function onCheckout<T>(
  repo: Repository,
  change: Change,
  work: (landing: Landing) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-landing-'));
  try {
    const before = change.from.at(-1)!;
    const { touched, known } = await concerned(repo, before, change.to);
    const withIndex =
      (name: string): Git =>
      (args, options) =>
        git(repo, args, { ...options, env: { GIT_INDEX_FILE: join(dir, name), ...LITERALLY } });
    const look = async (at: Git): Promise<Look> => {
      await at(['read-tree', before]);
      const { files, gone, inTheWay } = await standing(repo.workTree, touched, known);
      const named = ['--pathspec-from-file=-', '--pathspec-file-nul'];
      if (files.length + gone.length)
        await at(['add', '--all', '--force', ...named], { input: zJoin([...files, ...gone]) });
      return { tree: await at(['write-tree']), unknown: [...inTheWay, ...(await unstaged(at, files))] };
    };
    const at = withIndex('index');
    const { tree, unknown } = await look(at);
    const index = await indexOf(repo, change, join(dir, 'staged'));
    const files = await neither(repo, tree, before, change.to);
    return await work(
      landing(repo, change.to, {
        tree,
        conflicts: [...files, ...unknown, ...(await index.conflicts())],
        wanted: path => blobAt(change.to, path, args => gitBytes(repo, args)),
        write: async () => void (await at(['read-tree', '-m', '-u', tree, change.to])),
        again: () => look(withIndex('again')),
        settle: index.settle,
        unsettle: index.unsettle,
      }),
    );
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** In a folder whose only repository is Dure's. */
export async function atFolder<T>(
  repo: Repository,
  change: Change,
  work: (landing: Landing) => Promise<T>,
): Promise<T> {
  const before = change.from[0];
  const { touched, known } = await concerned(repo, before, change.to);
  const look = async (room: Room): Promise<Look> => {
    await stage(repo, room, repo.workTree, null, projectChoice(repo));
    const { files, inTheWay } = await standing(repo.workTree, touched, known);
    // What is ignored is no file of the project, but may be in the way of one.
    if (files.length)
      await room.git(['update-index', '--add', '--replace', '-z', '--stdin'], { input: zJoin(files) });
    return {
      tree: await room.git(['write-tree']),
      unknown: [...inTheWay, ...(await unstaged(room.git, files))],
    };
  };
  return inRoom(repo, repo.workTree, async room => {
    const { tree, unknown } = await look(room);
    return work(
      landing(repo, change.to, {
        tree,
        conflicts: [...(await neither(repo, tree, before, change.to)), ...unknown],
        wanted: path => blobAt(change.to, path, room.bytes),
        write: async () => void (await room.git(['read-tree', '-m', '-u', tree, change.to])),
        again: () => inRoom(repo, repo.workTree, look),
        settle: async () => {},
        unsettle: async () => {},
      }),
    );
  });
}

interface Place
  extends Pick<Landing, 'tree' | 'conflicts' | 'wanted'>,
    Pick<Putting, 'write' | 'settle' | 'unsettle'> {
  again(): Promise<Look>;
}

function landing(repo: Repository, to: string, { tree, conflicts, wanted, again, ...doing }: Place): Landing {
  const { workTree } = repo;
  const present = (path: string) => presentIn(workTree, path);
  const others = async () => {
    const now = await again();
    const unlike: string[] = [];
    // What is gone git removed, to write it anew: nobody's work is there.
    for (const path of [...(await neither(repo, now.tree, tree, to)), ...now.unknown])
      if (await statsOf(join(workTree, path))) unlike.push(path);
    const torn = await tornFiles({ conflicts: unlike, present, wanted });
    return new Set(unlike.filter(path => !torn.includes(path)));
  };
  return {
    tree,
    conflicts: [...new Set(conflicts)],
    present,
    wanted,
    async put(then) {
      const paths = await changedFiles(repo, tree, to);
      // One name for one result: the next attempt takes away what a power cut left.
      const keptIn = join(repo.gitDir, `dure-kept-${to}`);
      return put({ workTree, paths, keptIn, others, ...doing }, then);
    },
  };
}

async function concerned(repo: Repository, before: string, after: string) {
  const listed = await git(repo, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', before]);
  return { touched: await changedFiles(repo, before, after), known: new Set(zSplit(listed)) };
}

/** Git passes over what lies in another repository and says nothing. */
async function unstaged(at: Git, files: readonly string[]): Promise<string[]> {
  const staged = new Set(zSplit(await at(['ls-files', '-z'])));
  return files.filter(path => !staged.has(path));
}

/** Paths in which `tree` is neither `before` nor `after`. */
async function neither(repo: Repository, tree: string, before: string, after: string): Promise<string[]> {
  const unlikeAfter = new Set(await changedFiles(repo, tree, after));
  return (await changedFiles(repo, before, tree)).filter(path => unlikeAfter.has(path));
}

/**
 * Of the conflicts those that an attempt cut short left behind: a file that is gone, or the beginning of the file that
 * was being written. Only to be asked when there was such an attempt.
 */
export async function tornFiles({
  conflicts,
  present,
  wanted,
}: Pick<Landing, 'conflicts' | 'present' | 'wanted'>): Promise<string[]> {
  const torn: string[] = [];
  for (const path of conflicts) {
    const [there, whole] = [await present(path), await wanted(path)];
    if (there && whole?.subarray(0, there.length).equals(there)) torn.push(path);
  }
  return torn;
}

async function presentIn(workTree: string, path: string): Promise<Buffer | null> {
  const full = join(workTree, path);
  const stats = await statsOf(full);
  if (stats === null) return Buffer.alloc(0);
  if (stats.isSymbolicLink()) return Buffer.from(await readlink(full));
  return stats.isFile() ? readFile(full) : null;
}

async function blobAt(
  tree: string,
  path: string,
  read: (args: readonly string[]) => Promise<Buffer>,
): Promise<Buffer | null> {
  const at = `${tree}:${path}`;
  try {
    const type = (await read(['cat-file', '-t', at])).toString().trim();
    return type === 'blob' ? await read(['cat-file', '--filters', at]) : null;
  } catch {
    return null;
  }
}
