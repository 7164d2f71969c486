/**
 * Saves what a worktree contains beyond its last seal: edits by a person, late edits by an agent, or the partial work
 * of an agent that was stopped. Called before a worktree is reset or removed. As in a seal, ignored files are left out.
 */
import { commitTree } from '../git/build-trees-and-commits.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { type IsolatedGit, withProjectGit } from '../git/isolated-git.ts';
import { git, type Repository, revParse } from '../git/run-git.ts';
import { selectProjectFiles, stage } from './stage-files.ts';

/** The worktree of a run in the folder `dir`, whose files are those of `commit` unless they were edited. */
export interface SealedWorktree {
  readonly runId: string;
  readonly dir: string;
  readonly commit: string;
}
export interface UnsealedEdits {
  /** Name of the ref of the commit that contains the edits. */
  readonly ref: string;
  /** Paths that differ from the seal, including deleted ones. */
  readonly paths: readonly string[];
}

/** Prefix of the refs that keep edits and lost objects of a run that are in no seal. */
export const keptRefs = (runId: string): string => `refs/dure/kept/${runId}/`;
/** Each ref is named after the tree of the edits, or after the lost object, so the same content is kept once. */
export const keptRef = (runId: string, content: string): string =>
  `${keptRefs(runId)}${content.slice(0, 12)}`;

/** Null if the worktree does not differ from its seal. Throws `E_GIT` if git cannot store its files. */
export const keepUnsealedEdits = (
  repo: Repository,
  worktree: SealedWorktree,
): Promise<UnsealedEdits | null> =>
  withProjectGit(repo, worktree.dir, isolated => stageAndKeepEdits(isolated, worktree));

/** Like `keepUnsealedEdits`, for an isolated git. Afterwards, its index contains the files of the worktree. */
export async function stageAndKeepEdits(
  isolated: IsolatedGit,
  { runId, commit }: SealedWorktree,
): Promise<UnsealedEdits | null> {
  const { repo } = isolated;
  // If the repository was replaced, the seal is gone and no file is known to be in it.
  const sealed = await revParse(repo, `${commit}^{commit}`);
  await stage(isolated, sealed, selectProjectFiles(repo));
  const tree = await isolated.git(['write-tree']);
  const paths = await changedFiles(repo, sealed ?? (await git(repo, ['mktree'])), tree);
  if (paths.length === 0) return null;
  const kept = await commitTree(isolated, {
    tree,
    parents: sealed === null ? [] : [sealed],
    message: `Dure: edits in the worktree of ${runId} that are not in its result`,
    date: new Date().toISOString(),
  });
  const ref = keptRef(runId, tree);
  await git(repo, ['update-ref', ref, kept]);
  return { ref, paths };
}
