/**
 * Seals what a phase left as a commit under `refs/dure/<run>/`, and gives sealed trees back as files. Always true here:
 * the same files, parent, message and date give the same commit; what is sealed no later change of the folder touches;
 * no program configured by anyone runs (see room.ts).
 */
import { mkdir, readdir } from 'node:fs/promises';
import { DureError } from '../errors.ts';
import { git, type Repository, signedByDure } from './git.ts';
import { inRoom } from './room.ts';
import { type Choice, EVERYTHING, projectChoice, stage } from './stage.ts';
import { runBranch, settleWorktree } from './worktree.ts';

export interface Sealed {
  readonly commit: string;
  readonly tree: string;
}
export interface SealAs {
  readonly message: string;
  /** Full name, see `sealRef`. */
  readonly ref: string;
  /** ISO 8601: when the phase ended. */
  readonly date: string;
}

export const sealRef = (runId: string, name: string): string => `refs/dure/${runId}/${name}`;

/** Seals the worktree of a run, and moves its branch there. */
export async function sealWorktree(
  repo: Repository,
  run: { readonly runId: string; readonly dir: string; readonly baseCommit: string },
  as: SealAs & { readonly parent: string },
): Promise<Sealed> {
  const branch = runBranch(run.runId);
  const refs = [as.ref, `refs/heads/${branch}`];
  return sealing(repo, run.dir, run.baseCommit, projectChoice(repo), { ...as, refs }, [as.parent], index =>
    settleWorktree(repo, run.dir, branch, index),
  );
}

/** Seals a plain folder with all that is in it, ignored or not. */
export const sealFolder = (repo: Repository, dir: string, as: SealAs): Promise<Sealed> =>
  sealing(repo, dir, null, EVERYTHING, { ...as, refs: [as.ref] }, [], async () => {});

async function sealing(
  repo: Repository,
  dir: string,
  base: string | null,
  choice: Choice,
  as: Pick<SealAs, 'message' | 'date'> & { readonly refs: readonly string[] },
  parents: readonly string[],
  also: (index: string) => Promise<void>,
): Promise<Sealed> {
  return withPatience(() =>
    inRoom(repo, dir, async room => {
      await stage(repo, room, dir, base, choice);
      const treeing = room.git(['write-tree']);
      // The next two are started meanwhile, and wait for what they are to write.
      const committing = room.git(['hash-object', '-t', 'commit', '-w', '--stdin'], {
        input: treeing.then(tree => commitOf(tree, parents, as)),
      });
      const keeping = git(repo, ['update-ref', '--stdin'], {
        input: committing.then(commit => as.refs.map(ref => `update ${ref} ${commit}\n`).join('')),
      });
      const [tree, commit] = await Promise.all([treeing, committing, keeping]);
      await also(room.index);
      return { commit, tree };
    }),
  );
}

/** A commit as git keeps it. */
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

/** A straggler may still write: a file that vanishes while git reads it makes git fail, and the next look succeed. */
async function withPatience<T>(attempt: () => Promise<T>, left = 4): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (left === 0 || !(error instanceof DureError) || error.code !== 'E_GIT') throw error;
    return withPatience(attempt, left - 1);
  }
}

/** Writes a tree as files into `dir`, which is absent or empty before. There is no `.git` in it. */
export async function checkoutTree(repo: Repository, tree: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length) throw new Error(`${dir} is not empty`);
  await inRoom(repo, dir, room => room.git(['read-tree', '--reset', '-u', tree]));
}
