/**
 * Plans the merge of a result into the user's working tree, whose index is locked. Git runs the user's filters there
 * as usual (Git LFS needs them). Checks only files that differ between the result and HEAD or the base of the run: each
 * must have the version of HEAD, of base or of the result. The merge replaces each with the version of the result.
 */
import { join } from 'node:path';
import { namesIn } from '../../formats/file-system/path-status.ts';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { treeWithFilesOf } from '../git/combine-trees.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { submodulePaths } from '../git/list-and-check-out-submodules.ts';
import { type GitOptions, git, gitBytes, type Repository, zJoin } from '../git/run-git.ts';
import { filesIn } from '../git/tree-entries.ts';
import { existingFiles } from './files-in-the-way.ts';
import { indexOf } from './merge-into-index.ts';
import {
  blobAt,
  compareWithFiles,
  type MergeInspection,
  type MergePlan,
  unstaged,
} from './merge-plan-and-conflicts.ts';
import { affectedPaths, type MergeChange } from './paths-affected-by-merge.ts';

/** Compares the user's files with a tree, using an index file called `name`. */
type Inspect = (name: string, tree: string) => Promise<MergeInspection>;
const LITERALLY = { GIT_LITERAL_PATHSPECS: '1' };

export const planMergeIntoWorkingTree = <T>(
  repo: Repository,
  change: MergeChange,
  work: (plan: MergePlan) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder('dure-merge-', async dir => {
    const { to } = change;
    const at = (name: string) => (args: readonly string[], options?: GitOptions) =>
      git(repo, args, { ...options, env: { GIT_INDEX_FILE: join(dir, name), ...LITERALLY } });
    const touched = await affectedPaths(repo, change);
    const wanted = new Set(await filesIn(repo, to));
    const submodules = await submodulePaths(repo, to);
    // The index starts from a tree, because the version already in the index determines how git converts a file.
    const inspect: Inspect = async (name, tree) => {
      const known = new Set(await filesIn(repo, tree));
      await at(name)(['read-tree', tree]);
      const expected = { known, wanted, submodules };
      const { files, gone, inTheWay } = await existingFiles(repo.workTree, touched, expected);
      const named = ['--pathspec-from-file=-', '--pathspec-file-nul'];
      if (files.length + gone.length)
        await at(name)(['add', '--all', '--force', ...named], { input: zJoin([...files, ...gone]) });
      return {
        tree: await at(name)(['write-tree']),
        unknown: [...inTheWay, ...(await unstaged(at(name), files))],
      };
    };
    const before = await versionsInWorkingTree(repo, change, inspect);
    const compared = await compareWithFiles(repo, await inspect('index', before), before, to);
    const { tree } = compared;
    const index = await indexOf(repo, change, join(dir, 'staged'));
    return work({
      ...compared,
      stagedConflicts: index.conflicts,
      submoduleConflicts: await changedSubmodules(repo, tree, to),
      stagedOnly: index.stagedOnly,
      resultAt: path => blobAt(to, path, args => gitBytes(repo, args)),
      write: async () => void (await at('index')(['read-tree', '-m', '-u', tree, to])),
      inspectAgain: () => inspect('again', before),
      inspectWritten: () => inspect('written', to),
      prepareIndex: index.prepare,
      installIndex: index.install,
      isHeadMoved: index.isHeadMoved,
    });
  });

/**
 * Returns the tree of the base, but with HEAD's version of those files that have that version in the working tree: if a
 * run includes uncommitted changes, the user may have stashed or undone them since.
 */
async function versionsInWorkingTree(
  repo: Repository,
  { from }: Pick<MergeChange, 'from'>,
  inspect: Inspect,
): Promise<string> {
  const [head, base] = [from[0], from.at(-1)!];
  if (head === base) return base;
  const unlike = async (name: string, tree: string) =>
    new Set(await changedFiles(repo, tree, (await inspect(name, tree)).tree));
  const [unlikeHead, unlikeBase] = [await unlike('head', head), await unlike('base', base)];
  const included = await changedFiles(repo, head, base);
  const paths = included.filter(path => unlikeBase.has(path) && !unlikeHead.has(path));
  return paths.length === 0 ? base : treeWithFilesOf(repo, { of: base, from: head, paths });
}

/** Returns the submodules whose files would have to change: git changes only the commit recorded for each. */
async function changedSubmodules(repo: Repository, tree: string, to: string): Promise<string[]> {
  const submodules = new Set([...(await submodulePaths(repo, tree)), ...(await submodulePaths(repo, to))]);
  const changed = (await changedFiles(repo, tree, to)).filter(path => submodules.has(path));
  const isEmpty = await Promise.all(
    changed.map(async path => (await namesIn(join(repo.workTree, path))).length === 0),
  );
  return changed.filter((_, i) => !isEmpty[i]);
}
