/**
 * Detects stray changes: files that an agent wrote outside its role's folder, other than questions (CRPs). Files
 * written by Dure or the user belong to no role. A stray change is kept for inspection and never used.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, mkdir, readdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isWithin } from '../../formats/file-system/path-containment.ts';
import { isReadable, statsOf } from '../../formats/file-system/path-status.ts';
import { runFiles } from '../../formats/layout.ts';
import { expectNoLink } from '../../formats/refuse-symlinks.ts';
import { withProjectGit } from '../git/isolated-git.ts';
import type { Repository } from '../git/run-git.ts';
import { type SealedWorktree, stageAndKeepEdits } from './keep-unsealed-edits.ts';
import { selectProjectFiles, treeOf } from './stage-files.ts';

/**
 * Keyed by path below the run folder. The value is a hash; for a file that is not regular, its kind; for an unreadable
 * file, the reason.
 */
export type Fingerprint = ReadonlyMap<string, string>;

const at = runFiles('.');
const GUARDED = [at.briefing, at.crps, at.vcrs, at.mrp, at.feedback];
/** Files in a role's folder that are nevertheless written by Dure or the user. */
const OF_NO_ROLE = [at.raw, at.testOutput, at.testLog, at.testCases, at.exam];

/**
 * Returns the fingerprints of the files in `folders` and in the folders of Dure and the user. Excludes the worktree.
 */
export async function fingerprint(runDir: string, folders: readonly string[]): Promise<Fingerprint> {
  const found = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    if (path === at.worktree) return;
    const full = join(runDir, path);
    const stats = await statsOf(full);
    if (!stats) return;
    if (stats.isDirectory()) {
      const names = await namesOrReason(full);
      if (typeof names === 'string') found.set(path, names);
      else for (const name of names) await visit(join(path, name));
    } else if (stats.isSymbolicLink()) found.set(path, `link to ${await readlink(full)}`);
    else found.set(path, stats.isFile() ? await hashOf(full, stats.size) : 'special');
  };
  await Promise.all([...new Set([...GUARDED, ...folders])].map(visit));
  return found;
}

/**
 * Returns the sorted names of the files in a folder, or why the folder is unreadable if its permissions do not allow
 * listing or entering it.
 */
async function namesOrReason(folder: string): Promise<string[] | string> {
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    return (await readdir(folder)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    return unreadable(error);
  }
}

const unreadable = (error: unknown): string => `unreadable: ${(error as NodeJS.ErrnoException).code}`;

/** Maximum size in bytes of a file that is read as a whole; larger ones are streamed. */
const SMALL = 1_000_000;

async function hashOf(file: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  try {
    if (size <= SMALL) hash.update(await readFile(file));
    else for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    return unreadable(error);
  }
  return hash.digest('hex');
}

/**
 * Returns the sorted paths that were changed, added or removed outside `allowed` (folders or files below the run
 * folder). A folder in `allowed` does not include files written by Dure or the user.
 */
export function strayChanges(before: Fingerprint, after: Fingerprint, allowed: readonly string[]): string[] {
  const isAllowed = (path: string) =>
    allowed.includes(path) || (!OF_NO_ROLE.includes(path) && allowed.some(own => isBelow(own, path)));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => before.get(path) !== after.get(path) && !isAllowed(path))
    .sort();
}

const isBelow = (folder: string, path: string): boolean =>
  relative(folder, path) !== '' && isWithin(folder, path);

/** Returns the tree of the current worktree, to compare with the sealed one. `base` is the base commit of the run. */
export const worktreeTree = (repo: Repository, dir: string, base: string): Promise<string> =>
  treeOf(repo, dir, base, selectProjectFiles(repo));

/** Resets the worktree to its seal and copies differing files to `keepIn`. Returns the differing paths. */
export const restoreWorktree = (
  repo: Repository,
  worktree: SealedWorktree,
  keepIn: string,
): Promise<readonly string[]> => moveWorktree(repo, worktree, worktree.commit, keepIn);

/**
 * Changes the worktree from its seal to the files of another tree. Files that differ from the seal are saved in git and
 * copied to `keepIn`.
 */
export async function moveWorktree(
  repo: Repository,
  worktree: SealedWorktree,
  to: string,
  keepIn: string,
): Promise<readonly string[]> {
  return withProjectGit(repo, worktree.dir, async isolated => {
    const strays = (await stageAndKeepEdits(isolated, worktree))?.paths ?? [];
    await keepStrays(worktree.dir, strays, keepIn);
    await isolated.git(['read-tree', '--reset', '-u', to]);
    return strays;
  });
}

/**
 * Copies the existing files among `paths` from `dir` to `keepIn`. A link is replaced by a file that contains the path
 * of its target, so that nothing is read or written through links. Special and unreadable files are skipped.
 */
export async function keepStrays(dir: string, paths: readonly string[], keepIn: string): Promise<void> {
  const top = await realpath(dir);
  for (const path of paths) {
    const [from, copy] = [join(top, path), join(keepIn, path)];
    const stats = await statsOf(from);
    if (!stats?.isFile() && !stats?.isSymbolicLink()) continue;
    if ((await realpath(dirname(from))) !== dirname(from)) continue;
    if (stats.isFile() && !(await isReadable(from))) continue;
    expectNoLink(copy);
    await mkdir(dirname(copy), { recursive: true });
    if (stats.isFile()) await copyFile(from, copy);
    else await writeFile(copy, await readlink(from));
  }
}
