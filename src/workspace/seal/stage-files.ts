/**
 * Stages the files of a folder in the index of an isolated git. Dure's own folder and submodules stay unchanged in
 * the index; a nested git repository is staged as its files, never as a link to commits that exist only there; links
 * are staged as links; pipes, sockets and devices are skipped.
 */
import { isUtf8 } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DureError, dureError } from '../../errors.ts';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { DURE_DIR } from '../../formats/layout.ts';
import {
  type IsolatedGit,
  type WithGit,
  withExactGit,
  withIsolatedGit,
  withProjectGit,
} from '../git/isolated-git.ts';
import { type Repository, zJoin, zSplit } from '../git/run-git.ts';
import { type TreeEntry, treeEntries } from '../git/tree-entries.ts';

/** Which files to stage: all, or only those that git does not ignore. */
export interface StageSelection {
  readonly list: readonly string[];
  readonly besides: readonly string[];
  /** How to run git when staging the files: with or without the run's filters. */
  readonly within: WithGit;
}
/** Selects the files of a project. */
export const selectProjectFiles = (repo: Repository): StageSelection => ({
  list: ['--exclude-standard'],
  besides: [`${repo.prefix}${DURE_DIR}`],
  within: withProjectGit,
});
/** Selects all files as they are, for the folders of a run. */
export const EVERYTHING: StageSelection = { list: [], besides: [], within: withExactGit };

/** Returns the tree of the current files in `dir`, starting from the tree `base` (null for an empty one). */
export async function treeOf(
  repo: Repository,
  dir: string,
  base: string | null,
  choice: StageSelection,
): Promise<string> {
  return choice.within(repo, dir, async isolated => {
    await stage(isolated, base, choice);
    return isolated.git(['write-tree']);
  });
}

/** Whether git can store the files of `dir` outside the repository. If so, sealing failed because of the repository. */
export const canBeStored = (
  repo: Repository,
  dir: string,
  base: string | null,
  choice: StageSelection,
): Promise<boolean> =>
  withTemporaryFolder('dure-objects-', newObjects =>
    treeOf({ ...repo, newObjects }, dir, base, choice).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DureError && error.code === 'E_GIT') return false;
        throw error;
      },
    ),
  );

/** Stages the current files of the work tree, starting from the tree `base` (null for an empty one). */
export async function stage(
  isolated: IsolatedGit,
  base: string | null,
  choice: StageSelection,
): Promise<void> {
  const { files, submodules } = base === null ? NOTHING : await readBase(isolated, base);
  const kept = [...choice.besides, ...submodules];
  // Removed first: if a repository has replaced a known file, git would stage it as a link to a commit.
  const replaced = await folders(isolated.workTree, files);
  if (replaced.length)
    await isolated.git(['update-index', '--force-remove', '-z', '--stdin'], { input: zJoin(replaced) });
  const untracked = await others(isolated, choice);
  const repositories = untracked.filter(isFolder).map(bare);
  // Git would run `git status` inside a submodule, and with it any programs that an agent configured there.
  const but = [...kept, ...repositories].map(path => `:(top,exclude,literal)${path}`);
  if (files.length)
    await isolated.git(['add', '--update', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: zJoin([':/', ...but]),
    });

  const isKept = (path: string) => kept.some(other => path === other || path.startsWith(`${other}/`));
  const found = untracked.filter(path => !isFolder(path) && !isKept(path));
  const inside: string[] = [];
  for (const path of repositories) if (!isKept(path)) inside.push(...(await filesOf(isolated, path, choice)));
  const added = [...found, ...(await notIgnored(isolated, inside, choice))];
  if (added.length)
    await isolated.git(['update-index', '--add', '--replace', '-z', '--stdin'], { input: zJoin(added) });
}

interface Known {
  readonly files: readonly string[];
  readonly submodules: readonly string[];
}
const NOTHING: Known = { files: [], submodules: [] };

/** Caches the index of the last tree, because nearly all calls during a run start from the same tree. */
const indexes = new WeakMap<Repository, { base: string; known: Known; index: Buffer }>();

/** Reads a tree into the index and returns its files and submodules. */
async function readBase(isolated: IsolatedGit, base: string): Promise<Known> {
  const last = indexes.get(isolated.repo);
  if (last?.base === base) {
    await writeFile(isolated.index, last.index);
    return last.known;
  }
  const [entries] = await Promise.all([treeEntries(isolated.git, base), isolated.git(['read-tree', base])]);
  const pathsOf = (some: readonly TreeEntry[]) => some.map(({ path }) => path);
  const known = {
    files: pathsOf(entries.filter(({ kind }) => kind !== 'submodule')),
    submodules: pathsOf(entries.filter(({ kind }) => kind === 'submodule')),
  };
  indexes.set(isolated.repo, { base, known, index: await readFile(isolated.index) });
  return known;
}

async function folders(dir: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(path => statsOf(join(dir, path))));
  return paths.filter((_, i) => found[i]?.isDirectory());
}

/** The ignore rules of the outer repository also apply inside a nested one. */
async function notIgnored(
  isolated: IsolatedGit,
  paths: readonly string[],
  { list }: StageSelection,
): Promise<readonly string[]> {
  if (!paths.length || !list.length) return paths;
  const answer = await isolated.ask(['check-ignore', '-z', '--no-index', '--stdin'], { input: zJoin(paths) });
  const ignored = new Set(zSplit(answer ?? ''));
  return paths.filter(path => !ignored.has(path));
}

/** Git lists no folders except nested repositories, which it lists as `name/`. */
const isFolder = (path: string) => path.endsWith('/');
const bare = (path: string) => path.replace(/\/$/, '');
async function others(isolated: IsolatedGit, choice: StageSelection): Promise<string[]> {
  const listed = await isolated.bytes(['ls-files', '-z', '--others', ...choice.list]);
  const names = zSplit(listed.toString());
  if (names.some(name => name.includes('\ufffd'))) expectUtf8(listed);
  return names;
}

/**
 * Throws `E_GIT` for a name that is not valid UTF-8, because names are passed on as text. The error shows all bytes
 * other than printable ASCII in hexadecimal.
 */
function expectUtf8(listed: Buffer): void {
  for (const name of zSplit(listed.toString('latin1'))) {
    const bytes = Buffer.from(name, 'latin1');
    if (isUtf8(bytes)) continue;
    const spelled = name.replace(
      /[^\x20-\x7e]/g,
      byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    throw dureError('E_GIT', {
      command: 'add',
      stderr: `the name of the file ${spelled} is not valid UTF-8; rename the file`,
    });
  }
}

/** Returns the files of a nested repository, including those of repositories nested in it. */
async function filesOf(
  { repo, workTree }: Pick<IsolatedGit, 'repo' | 'workTree'>,
  path: string,
  choice: StageSelection,
): Promise<string[]> {
  const here = await withIsolatedGit(repo, join(workTree, path), inner => others(inner, choice));
  const files: string[] = [];
  for (const entry of here) {
    const full = `${path}/${entry}`;
    if (isFolder(entry)) files.push(...(await filesOf({ repo, workTree }, bare(full), choice)));
    else files.push(full);
  }
  return files;
}
