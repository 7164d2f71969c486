/**
 * Seals the files of a step as a commit under `refs/dure/<run>/`. The same files, parent, message and date
 * give the same commit; later changes to the folder do not affect a seal; no configured program runs (see
 * isolated-git.ts).
 */

import { DureError } from '../errors.ts';
import { runBranch } from '../formats/layout.ts';
import { git, type Repository, signedByDure } from './git.ts';
import { EVERYTHING, type StageSelection, selectProjectFiles, stage } from './stage-files.ts';
import { settleWorktree } from './worktree.ts';

export interface Sealed {
  readonly commit: string;
  readonly tree: string;
}
export interface SealAs {
  readonly message: string;
  /** Full name of the ref, see `sealRef`. */
  readonly ref: string;
  /** When the step ended (ISO 8601). */
  readonly date: string;
}

export const sealRef = (runId: string, name: string): string => `refs/dure/${runId}/${name}`;

/** Seals the worktree of a run and moves its branch to the seal. */
export async function sealWorktree(
  repo: Repository,
  run: { readonly runId: string; readonly dir: string; readonly baseCommit: string },
  as: SealAs & { readonly parent: string },
): Promise<Sealed> {
  const branch = runBranch(run.runId);
  const refs = [as.ref, `refs/heads/${branch}`];
  return sealing(
    repo,
    run.dir,
    run.baseCommit,
    selectProjectFiles(repo),
    { ...as, refs },
    [as.parent],
    index => settleWorktree(repo, run.dir, branch, index),
  );
}

/** Seals all files of a folder, including ignored ones. */
export const sealFolder = (repo: Repository, dir: string, as: SealAs): Promise<Sealed> =>
  sealing(repo, dir, null, EVERYTHING, { ...as, refs: [as.ref] }, [], async () => {});

async function sealing(
  repo: Repository,
  dir: string,
  base: string | null,
  choice: StageSelection,
  as: Pick<SealAs, 'message' | 'date'> & { readonly refs: readonly string[] },
  parents: readonly string[],
  also: (index: string) => Promise<void>,
): Promise<Sealed> {
  return withRetries(() =>
    choice.within(repo, dir, async isolated => {
      await stage(repo, isolated, dir, base, choice);
      const treeing = isolated.git(['write-tree']);
      // The next two commands are started in parallel and wait for their input.
      const committing = isolated.git(['hash-object', '-t', 'commit', '-w', '--stdin'], {
        input: treeing.then(tree => commitOf(tree, parents, as)),
      });
      const keeping = git(repo, ['update-ref', '--stdin'], {
        input: committing.then(commit => as.refs.map(ref => `update ${ref} ${commit}\n`).join('')),
      });
      const [tree, commit] = await Promise.all([treeing, committing, keeping]);
      await also(isolated.index);
      return { commit, tree };
    }),
  );
}

/** A commit in git's object format. */
function commitOf(
  tree: string,
  parents: readonly string[],
  { message, date }: Pick<SealAs, 'message' | 'date'>,
) {
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: at } = signedByDure(date);
  const by = `${name} <${email}> ${at?.slice(1)}`;
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
  ];
  return `${lines.join('\n')}\n\n${message.trimEnd()}\n`;
}

/** Retries when git fails, because a remaining process may still delete files while git reads them. */
async function withRetries<T>(attempt: () => Promise<T>, left = 4): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (left === 0 || !(error instanceof DureError) || error.code !== 'E_GIT') throw error;
    return withRetries(attempt, left - 1);
  }
}
