/**
 * Moves the user's current branch to the commit of a result. Only this one branch moves, and only if it is still
 * checked out, nobody else has moved it, and the index is still locked.
 */

import type { IndexLock } from '../git/lock-user-index.ts';
import { askGit, git, type Repository, revParse } from '../git/run-git.ts';

export interface Branch {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string;
  /** The short name, as git shows it. */
  readonly name: string;
}

/** Null if HEAD is detached. */
export async function currentBranch(repo: Repository): Promise<Branch | null> {
  const ref = await askGit(repo, ['symbolic-ref', '--quiet', 'HEAD']);
  const name = await askGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return ref === null || name === null ? null : { ref, name };
}

export interface BranchMove {
  readonly runId: string;
  readonly lock: IndexLock;
  readonly branch: Branch;
  /** Null if the branch has no commits. */
  readonly from: string | null;
  readonly to: string;
}

/** @param refusal creates an error from the reason for the refusal */
export async function moveBranch(
  repo: Repository,
  { runId, lock, branch, from, to }: BranchMove,
  refusal: (why: string) => Error,
): Promise<void> {
  const { ref, name } = branch;
  if ((await askGit(repo, ['symbolic-ref', '--quiet', 'HEAD'])) !== ref)
    throw refusal(
      `your working tree is no longer on ${name}. Check out ${name}, then run \`dure approve\` again.`,
    );
  const at = await revParse(repo, ref);
  if (at !== from) {
    const change =
      at === null ? 'was deleted during the merge' : `moved to ${at.slice(0, 10)} during the merge`;
    throw refusal(`${name} ${change}. Run \`dure approve\` again.`);
  }
  if (!(await lock.isHeld()))
    throw refusal(
      'index.lock was removed during the merge, so another program may have changed the index. ' +
        'Run `dure approve` again.',
    );
  const before = from ?? '0'.repeat(to.length);
  try {
    await git(repo, ['update-ref', '-m', `dure: approve ${runId}`, '--stdin'], {
      input: `update ${ref} ${to} ${before}\n`,
    });
  } catch (error) {
    // A killed git process may still have updated the ref.
    if ((await revParse(repo, ref)) !== to) throw error;
  }
}
