/**
 * Plans the merge of a result into the user's files. The plan first checks every affected file and every file that is
 * in the way, and then writes only checked files: git itself refuses to overwrite a file that changed in between.
 *
 * In a folder without a repository, all files must match the base, even those that the result does not change. For
 * the working tree of a repository, see plan-merge-into-working-tree.ts.
 */
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { type GitOptions, type Repository, zSplit } from '../git/run-git.ts';

export interface MergePlan {
  readonly repo: Repository;
  /** Tree of the result. */
  readonly to: string;
  /** Tree of the current files. */
  readonly tree: string;
  /** Paths at which a file equals neither an earlier version that may be overwritten nor the result. */
  readonly conflicts: readonly string[];
  /** Paths at which the staged version equals neither an earlier version that may be overwritten nor the result. */
  readonly stagedConflicts: readonly string[];
  /** Paths of submodules that differ from the result and that git does not change. */
  readonly submoduleConflicts: readonly string[];
  /** Tree of the user's index, if it has content that would be in no other tree after the merge. Otherwise null. */
  readonly stagedOnly: string | null;
  /** Paths at which the current files already equal the result and differ from the base. */
  readonly alreadyApplied: readonly string[];
  /** The bytes that would be written to a path. Null when the result has no file there. */
  resultAt(path: string): Promise<Buffer | null>;
  /** Writes the result over the user's files. */
  write(): Promise<void>;
  /** Inspects the files again when the result may be only partly written. */
  inspectAgain(): Promise<MergeInspection>;
  inspectWritten(): Promise<MergeInspection>;
  /** Builds the new index, without changing the user's. */
  prepareIndex(): Promise<void>;
  installIndex(): Promise<void>;
  isHeadMoved(): Promise<boolean>;
}

/** The state of the user's files. */
export interface MergeInspection {
  readonly tree: string;
  /** Paths of files that are not in the tree and would be lost. */
  readonly unknown: readonly string[];
}

/** Compares the user's files with the tree `before` and the result. */
export const compareWithFiles = async (
  repo: Repository,
  { tree, unknown }: MergeInspection,
  before: string,
  to: string,
): Promise<Pick<MergePlan, 'repo' | 'to' | 'tree' | 'conflicts' | 'alreadyApplied'>> => ({
  repo,
  to,
  tree,
  alreadyApplied: await alreadyAppliedPaths(repo, before, tree, to),
  conflicts: [...new Set([...(await conflictingPaths(repo, tree, before, to)), ...unknown])],
});

/** Returns the paths at which the files differ from the result. Call this after writing. */
export async function differencesFromResult({ repo, to, inspectWritten }: MergePlan): Promise<string[]> {
  const written = await inspectWritten();
  return [...(await changedFiles(repo, written.tree, to)), ...written.unknown];
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;

/** Returns the files that git did not stage: it silently skips files that are in another repository. */
export async function unstaged(at: Git, files: readonly string[]): Promise<string[]> {
  const staged = new Set(zSplit(await at(['ls-files', '-z'])));
  return files.filter(path => !staged.has(path));
}

/** Returns the paths at which `tree` equals neither `before` nor `after`. */
export async function conflictingPaths(
  repo: Repository,
  tree: string,
  before: string,
  after: string,
): Promise<string[]> {
  const unlikeBefore = await changedFiles(repo, before, tree);
  if (unlikeBefore.length === 0) return [];
  const unlikeAfter = new Set(await changedFiles(repo, tree, after));
  return unlikeBefore.filter(path => unlikeAfter.has(path));
}

/** Returns the paths at which `tree` equals `after` but `before` does not. */
async function alreadyAppliedPaths(
  repo: Repository,
  before: string,
  tree: string,
  after: string,
): Promise<string[]> {
  const missing = new Set(await changedFiles(repo, tree, after));
  return (await changedFiles(repo, before, after)).filter(path => !missing.has(path));
}

/**
 * Returns the conflicts that an interrupted attempt left behind: missing files, and incomplete copies of files that it
 * was writing. Call this only if there was such an attempt.
 */
export async function partlyWrittenFiles({ repo, conflicts, resultAt }: MergePlan): Promise<string[]> {
  const partlyWritten: string[] = [];
  for (const path of conflicts) {
    const [current, complete] = [await presentIn(repo.workTree, path), await resultAt(path)];
    if (current && complete?.subarray(0, current.length).equals(current)) partlyWritten.push(path);
  }
  return partlyWritten;
}

/** Returns the bytes at a path: empty if nothing exists there, null for a folder or special file. */
async function presentIn(workTree: string, path: string): Promise<Buffer | null> {
  const full = join(workTree, path);
  const stats = await statsOf(full);
  if (stats === null) return Buffer.alloc(0);
  if (stats.isSymbolicLink()) return Buffer.from(await readlink(full));
  return stats.isFile() ? readFile(full) : null;
}

export async function blobAt(
  tree: string,
  path: string,
  read: (args: readonly string[]) => Promise<Buffer>,
): Promise<Buffer | null> {
  const at = `${tree}:${path}`;
  try {
    const type = (await read(['cat-file', '-t', at])).toString().trim();
    return type === 'blob' ? await read(['cat-file', '--filters', at]) : null;
  } catch (error) {
    return unlessDiskFails(null)(error);
  }
}
