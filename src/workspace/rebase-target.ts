/** Determines the commit onto which a run is rebased. */
import { asTyped, dureError } from '../errors.ts';
import { type Base, isSnapshot, isUnmoved, resolveBase, snapshot } from './base-and-snapshot-commits.ts';
import { askGit, type Repository, revParse } from './git/run-git.ts';

export interface RebasedRun {
  readonly id: string;
  readonly base: string;
  /** Name of the branch from which the run began; `HEAD` if it did not begin from a branch. */
  readonly began: string;
}
type Target = Pick<Base, 'commit' | 'name'>;

/**
 * Returns the named commit or, by default, the tip of the branch from which the run began. If the run began with
 * uncommitted changes, and the target is the branch that is checked out, includes the uncommitted changes in the
 * working tree. Without a repository, the target is a snapshot of the current files. Throws `E_REBASE_UNMOVED`,
 * `E_REBASE_DETACHED`, `E_REBASE_BRANCH` or `E_BASE`.
 */
export async function rebaseTarget(repo: Repository, run: RebasedRun, onto: string | null): Promise<Target> {
  const { commit, name } = repo.shadow ? await resolveBase(repo, onto) : await tipOf(repo, run, onto);
  if (await isUnmoved(repo, run.base, commit))
    throw dureError('E_REBASE_UNMOVED', { run: run.id, onto: name });
  const current = await askGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const withChanges = current === name && (await isSnapshot(repo, run.base));
  return { commit: withChanges ? await snapshot(repo, commit) : commit, name };
}

/** Returns the branch from which the run began if its files have changed since; otherwise null. */
export async function movedBranch(repo: Repository, run: RebasedRun): Promise<string | null> {
  if (repo.shadow || run.began === 'HEAD') return null;
  const commit = await tip(repo, run.began);
  return commit === null || (await isUnmoved(repo, run.base, commit)) ? null : run.began;
}

async function tipOf(repo: Repository, run: RebasedRun, onto: string | null): Promise<Target> {
  if (onto !== null) {
    const commit = (await tip(repo, onto)) ?? (await commitAt(repo, onto));
    if (commit === null) throw dureError('E_BASE', { base: asTyped(onto) });
    return { commit, name: onto };
  }
  if (run.began === 'HEAD') throw dureError('E_REBASE_DETACHED', { run: run.id });
  const commit = await tip(repo, run.began);
  if (commit === null) throw dureError('E_REBASE_BRANCH', { run: run.id, branch: run.began });
  return { commit, name: run.began };
}

/** Returns the commit of a local or remote branch. */
const tip = async (repo: Repository, branch: string): Promise<string | null> =>
  (await commitAt(repo, `refs/heads/${branch}`)) ?? commitAt(repo, `refs/remotes/${branch}`);

const commitAt = (repo: Repository, name: string): Promise<string | null> =>
  revParse(repo, `${name}^{commit}`);
