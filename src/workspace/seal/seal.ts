/**
 * Seals the files of a step as a commit under `refs/dure/<run>/`. The same files, parent, message and date give the
 * same commit; later changes to the folder do not affect a seal; no configured programs run, except the run's filters
 * (see isolated-git.ts).
 */

import { DureError } from '../../errors.ts';
import { runBranch } from '../../formats/layout.ts';
import { commitTree } from '../git/build-trees-and-commits.ts';
import type { IsolatedGit } from '../git/isolated-git.ts';
import { git, type Repository } from '../git/run-git.ts';
import { restoreWorktreeHead } from '../worktree.ts';
import { EVERYTHING, selectProjectFiles, stage } from './stage-files.ts';

export interface Sealed {
  readonly commit: string;
  readonly tree: string;
}
export interface SealAs {
  readonly message: string;
  /** Full name of the ref (see `sealRef`). */
  readonly ref: string;
  /** When the step ended (ISO 8601). */
  readonly date: string;
}

export const sealRef = (runId: string, name: string): string => `refs/dure/${runId}/${name}`;

/** Seals the worktree of a run and moves its branch to the seal. */
export async function sealWorktree(
  repo: Repository,
  { runId, dir, baseCommit }: { readonly runId: string; readonly dir: string; readonly baseCommit: string },
  as: SealAs & { readonly parent: string },
): Promise<Sealed> {
  const branch = runBranch(runId);
  const files = selectProjectFiles(repo);
  return withRetries(() =>
    files.within(repo, dir, async isolated => {
      await stage(isolated, baseCommit, files);
      const sealed = await commitIndex(repo, isolated, as, [as.parent], [as.ref, `refs/heads/${branch}`]);
      await restoreWorktreeHead(repo, dir, branch, isolated.index);
      return sealed;
    }),
  );
}

/** Seals all files of a folder, including ignored ones. */
export const sealFolder = (repo: Repository, dir: string, as: SealAs): Promise<Sealed> =>
  withRetries(() =>
    EVERYTHING.within(repo, dir, async isolated => {
      await stage(isolated, null, EVERYTHING);
      return commitIndex(repo, isolated, as, [], [as.ref]);
    }),
  );

async function commitIndex(
  repo: Repository,
  isolated: IsolatedGit,
  { message, date }: SealAs,
  parents: readonly string[],
  refs: readonly string[],
): Promise<Sealed> {
  const tree = await isolated.git(['write-tree']);
  const commit = await commitTree(isolated, { tree, parents, message, date });
  const input = refs.map(ref => `update ${ref} ${commit}\n`).join('');
  await git(repo, ['update-ref', '--stdin'], { input });
  return { commit, tree };
}

/** Retries when git fails, because a leftover process may be deleting files while git reads them. */
async function withRetries<T>(attempt: () => Promise<T>, left = 4): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (left === 0 || !(error instanceof DureError) || error.code !== 'E_GIT') throw error;
    return withRetries(attempt, left - 1);
  }
}
