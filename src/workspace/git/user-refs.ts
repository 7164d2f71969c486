/**
 * Reads the user's branches, tags and stash entries, and finds those that were lost since. All worktrees share them, so
 * an agent without a sandbox can change them from its worktree, for example with `git stash drop`.
 */
import type { LostRef } from '../../formats/evidence.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { runBranch } from '../../formats/layout.ts';
import { isAncestor } from './commit-ancestry-and-damage.ts';
import { git, type Repository } from './run-git.ts';

/** The branches and tags as `git for-each-ref` prints them, and each stash entry: `<object> refs/stash`. */
export type UserRefs = readonly string[];

const STASH = 'refs/stash';
const OWN = `refs/heads/${runBranch('')}`;

/** Excludes the branches of runs. A repository that Dure created has no refs of the user. */
export async function userRefs(repo: Repository): Promise<UserRefs> {
  if (repo.shadow) return [];
  const [refs, stash] = await Promise.all([
    git(repo, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/']),
    git(repo, ['-c', 'log.showSignature=false', 'stash', 'list', `--format=%H ${STASH}`]),
  ]);
  return `${refs}\n${stash}`.split('\n').filter(line => line !== '' && !nameIn(line).startsWith(OWN));
}

/**
 * Returns what was lost since `earlier`: deleted refs, dropped stash entries, and refs that no longer contain an object
 * that they contained, latest first. A branch with new commits has lost nothing.
 */
export async function lostRefs(repo: Repository, earlier: UserRefs, now: UserRefs): Promise<LostRef[]> {
  const lost: LostRef[] = [];
  const present = new Set(now);
  const current = new Map(now.map(line => [nameIn(line), objectIn(line)]));
  for (const line of [...new Set(earlier)].reverse().filter(each => !present.has(each))) {
    const [ref, object] = [nameIn(line), objectIn(line)];
    const known = lost.filter(each => each.ref === ref).map(each => each.object);
    const at = current.get(ref) ?? null;
    if (!(await isInAny(repo, object, at === null ? known : [at, ...known])))
      lost.push({ ref, object, now: ref === STASH ? null : at });
  }
  return lost;
}

const objectIn = (line: string): string => line.slice(0, line.indexOf(' '));
const nameIn = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** False if git cannot tell: a tag of a file or folder contains no commits, and one of the objects may be gone. */
async function isInAny(repo: Repository, object: string, others: readonly string[]): Promise<boolean> {
  for (const other of others)
    if (await isAncestor(repo, object, other).catch(unlessDiskFails(false))) return true;
  return false;
}
