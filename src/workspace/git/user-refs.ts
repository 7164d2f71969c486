/**
 * Reads the user's branches, tags and stash entries, and finds those that were lost since. All worktrees share them, so
 * an agent without a sandbox can change them from its worktree, for example with `git stash drop`.
 */
import type { LostRef } from '../../formats/evidence.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { runBranch, runBranchRef } from '../../formats/layout.ts';
import { git, type Repository } from './run-git.ts';

const [STASH, BRANCHES, TAGS] = ['refs/stash', 'refs/heads/', 'refs/tags/'] as const;
export const REF_KINDS = [STASH, BRANCHES, TAGS] as const;
type RefKind = (typeof REF_KINDS)[number];

export interface UserRefs {
  /** `<object> <full name of the ref>` of each stash entry, the newest first, branch and tag. */
  readonly refs: readonly string[];
  /** Kinds that could not be listed. */
  readonly unread: readonly RefKind[];
}

const OWN = runBranchRef('');
const NAMED = ['for-each-ref', '--format=%(objectname) %(refname)'];
const COMMANDS: Readonly<Record<RefKind, readonly string[]>> = {
  [STASH]: ['-c', 'log.showSignature=false', 'stash', 'list', `--format=%H ${STASH}`],
  [BRANCHES]: [...NAMED, BRANCHES],
  [TAGS]: [...NAMED, TAGS],
};

/** Excludes the branches of runs. A repository that Dure created has no refs of the user. */
export async function userRefs(repo: Repository): Promise<UserRefs> {
  if (repo.shadow) return { refs: [], unread: [] };
  const lists = await Promise.all(
    REF_KINDS.map(kind => git(repo, COMMANDS[kind]).catch(unlessDiskFails(null))),
  );
  const lines = lists.flatMap(list => list?.split('\n') ?? []);
  return {
    refs: lines.filter(line => line !== '' && !nameIn(line).startsWith(OWN)),
    unread: REF_KINDS.filter((_, i) => lists[i] === null),
  };
}

/** Returns everything that is in `earlier` or `now`, the latest object of a ref first. */
export const unionOfRefs = (earlier: UserRefs, now: UserRefs): UserRefs => ({
  refs: [...new Set([...now.refs, ...earlier.refs])],
  unread: [...new Set([...now.unread, ...earlier.unread])],
});

/**
 * Returns what `now` lacks of `earlier`: tags that were deleted or moved; and stash entries that were dropped, and
 * branches that were deleted or moved, unless a current branch or tag contains their commit. Stash entries that
 * were listed together are in the order in which they have to be stored again. `unread` has the names of refs whose objects are gone, and the kinds
 * that could not be listed, then or now.
 */
export async function lostRefs(
  repo: Repository,
  earlier: UserRefs,
  now: UserRefs,
): Promise<{ lost: LostRef[]; unread: string[] }> {
  const changed = changedRefs(earlier, now);
  const existing = await existingObjects(repo, changed);
  const found = changed.filter(({ object }) => existing.has(object));
  const [stash, branches, tags] = REF_KINDS.map(kind => found.filter(({ ref }) => ref.startsWith(kind)));
  const gone = changed.filter(({ object }) => !existing.has(object)).map(({ ref }) => ref);
  return {
    lost: [
      ...(await unmerged(repo, stash!.reverse())),
      ...(await latestOfBranches(repo, await unmerged(repo, branches!))),
      ...tags!,
    ],
    unread: [...new Set([...earlier.unread, ...now.unread, ...gone])],
  };
}

function changedRefs(earlier: UserRefs, now: UserRefs): LostRef[] {
  const present = new Set(now.refs);
  const current = new Map(now.refs.map(line => [nameIn(line), objectIn(line)]));
  return earlier.refs
    .filter(line => !present.has(line) && !now.unread.some(kind => nameIn(line).startsWith(kind)))
    .map(line => {
      const ref = nameIn(line);
      return { ref, object: objectIn(line), now: ref === STASH ? null : (current.get(ref) ?? null) };
    });
}

const objectIn = (line: string): string => line.slice(0, line.indexOf(' '));
const nameIn = (line: string): string => line.slice(line.indexOf(' ') + 1);
const objectLines = (refs: readonly LostRef[]): string => refs.map(({ object }) => `${object}\n`).join('');

async function existingObjects(repo: Repository, refs: readonly LostRef[]): Promise<Set<string>> {
  if (refs.length === 0) return new Set();
  const checked = await git(repo, ['cat-file', '--batch-check=%(objectname)'], { input: objectLines(refs) });
  return new Set(checked.split('\n'));
}

/** Returns those whose commit no current branch or tag contains; all, if git cannot read their history. */
async function unmerged(repo: Repository, refs: readonly LostRef[]): Promise<readonly LostRef[]> {
  if (refs.length === 0) return [];
  const current = ['--not', `--exclude=${runBranch('*')}`, '--branches', '--tags'];
  const listed = await git(repo, ['rev-list', '--stdin', ...current], { input: objectLines(refs) }).catch(
    unlessDiskFails(null),
  );
  if (listed === null) return refs;
  const commits = new Set(listed.split('\n'));
  return refs.filter(({ object }) => commits.has(object));
}

/** Leaves out the commits of a branch that another lost commit of the same branch contains. */
async function latestOfBranches(repo: Repository, refs: readonly LostRef[]): Promise<LostRef[]> {
  const objects = new Map<string, readonly string[]>();
  for (const { ref, object } of refs) objects.set(ref, [...(objects.get(ref) ?? []), object]);
  for (const [ref, all] of objects)
    if (all.length > 1) {
      const latest = await git(repo, ['merge-base', '--independent', ...all]).catch(unlessDiskFails(null));
      objects.set(ref, latest?.split('\n') ?? all);
    }
  return refs.filter(({ ref, object }) => objects.get(ref)!.includes(object));
}
