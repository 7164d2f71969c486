/** Plans the merge of a result into a project folder that has a shadow repository. */

import { changedFiles } from '../git/diff-trees.ts';
import { type IsolatedGit, withIsolatedGit } from '../git/isolated-git.ts';
import { type Repository, zJoin } from '../git/run-git.ts';
import { filesIn } from '../git/tree-entries.ts';
import { selectProjectFiles, stage } from '../seal/stage-files.ts';
import { existingFiles } from './files-in-the-way.ts';
import {
  blobAt,
  compareWithFiles,
  type MergeInspection,
  type MergePlan,
  unstaged,
} from './merge-plan-and-conflicts.ts';

/** Plans the merge into a folder with a shadow repository. */
export async function planOnFolder<T>(
  repo: Repository,
  { from, to }: { readonly from: string; readonly to: string },
  work: (plan: MergePlan) => Promise<T>,
): Promise<T> {
  const touched = await changedFiles(repo, from, to);
  const [known, wanted] = [new Set(await filesIn(repo, from)), new Set(await filesIn(repo, to))];
  const inspect = async (isolated: IsolatedGit): Promise<MergeInspection> => {
    await stage(isolated, null, selectProjectFiles(repo));
    const { files, inTheWay } = await existingFiles(repo.workTree, touched, {
      known,
      wanted,
      submodules: new Set(),
    });
    // An ignored file is not part of the project, but may occupy a path that the result needs.
    if (files.length)
      await isolated.git(['update-index', '--add', '--replace', '-z', '--stdin'], { input: zJoin(files) });
    return {
      tree: await isolated.git(['write-tree']),
      unknown: [...inTheWay, ...(await unstaged(isolated.git, files))],
    };
  };
  return withIsolatedGit(repo, repo.workTree, async isolated => {
    const compared = await compareWithFiles(repo, await inspect(isolated), from, to);
    return work({
      ...compared,
      stagedConflicts: [],
      submoduleConflicts: [],
      stagedOnly: null,
      resultAt: path => blobAt(to, path, isolated.bytes),
      write: async () => void (await isolated.git(['read-tree', '-m', '-u', compared.tree, to])),
      inspectAgain: () => withIsolatedGit(repo, repo.workTree, inspect),
      inspectWritten: () => withIsolatedGit(repo, repo.workTree, inspect),
      prepareIndex: async () => {},
      installIndex: async () => {},
      isHeadMoved: async () => false,
    });
  });
}
