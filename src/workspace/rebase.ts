/**
 * Rebases a result: applies its changes to another commit, as `git cherry-pick` does, in a temporary folder.
 * The project's attributes apply; its configuration, hooks and merge drivers do not.
 */
import { dureError } from '../errors.ts';
import { withTemporaryFolder } from '../formats/file-system/temporary-folder.ts';
import type { ConflictedFile } from '../formats/state.ts';
import { commitTree } from './git/build-trees-and-commits.ts';
import { isSamePatch } from './git/diff-trees.ts';
import { type IsolatedGit, withIsolatedGit } from './git/isolated-git.ts';
import { askGit, entryOf, type Repository, signedByDure, zJoin, zSplit } from './git/run-git.ts';
import type { Sealed } from './seal/seal.ts';

export interface RebaseOf {
  readonly runId: string;
  /** The sealed result; `base` is the commit on which it was built. */
  readonly result: Sealed;
  readonly base: string;
  /** The new base. */
  readonly onto: string;
  /** Date of the commits, in ISO 8601. With the same date, the same call gives the same commit. */
  readonly date: string;
}

export interface Rebased extends Sealed {
  /** Conflicting files. The text files among them contain conflict markers in the tree. */
  readonly conflicts: ConflictedFile[];
  /** Whether the changes are the same as before the rebase. */
  readonly samePatch: boolean;
}

/** Returns a commit whose parent is `onto`; it is on no branch. */
export async function rebase(repo: Repository, of: RebaseOf): Promise<Rebased> {
  const { base, result, onto } = of;
  return withTemporaryFolder('dure-rebase-', dir =>
    withIsolatedGit(repo, dir, async isolated => {
      const conflicts = await cherryPick(isolated, of);
      const tree = await isolated.git(['write-tree']);
      const commit = await commitTree(isolated, { tree, parents: [onto], ...messageAndDate(of) });
      const patches = [
        { from: base, to: result.commit },
        { from: onto, to: commit },
      ] as const;
      const samePatch = conflicts.length === 0 && (await isSamePatch(repo, ...patches));
      return { commit, tree, conflicts, samePatch };
    }),
  );
}

const messageAndDate = ({ runId, date }: RebaseOf) => ({ message: `Dure: ${runId}`, date });

/** Leaves the merged files in the index, including those with conflicts. */
async function cherryPick(isolated: IsolatedGit, of: RebaseOf): Promise<ConflictedFile[]> {
  // Squashes the iterations into one commit: there may be several commits between the base and the result.
  const change = await commitTree(isolated, {
    tree: of.result.tree,
    parents: [of.base],
    ...messageAndDate(of),
  });
  await isolated.git(['update-ref', 'HEAD', of.onto], { env: signedByDure(of.date) });
  await isolated.git(['read-tree', '--reset', '-u', 'HEAD']);
  const pick = ['-c', 'merge.conflictStyle=diff3', 'cherry-pick', '--no-commit', '--keep-redundant-commits'];
  const done = await isolated.ask([...pick, change], { env: signedByDure(of.date) });
  const conflicts = conflictsIn(await isolated.git(['ls-files', '--unmerged', '-z']));
  if (done === null && conflicts.length === 0)
    throw dureError('E_GIT', { command: 'cherry-pick', stderr: 'it failed without a conflict' });
  if (conflicts.length > 0) {
    // If a file conflicts with a folder, git writes one of them under another name.
    const renamed = zSplit(await isolated.git(['ls-files', '--others', '-z']));
    await isolated.git(['add', '--all', '--force', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      env: { GIT_LITERAL_PATHSPECS: '1' },
      input: zJoin([...conflicts.map(({ path }) => path), ...renamed]),
    });
  }
  return conflicts;
}

/** Keyed by the index stages that have the file: 1 is the old base, 2 the new base, 3 the result. */
const HOW: Readonly<Record<string, ConflictedFile['how']>> = {
  '123': 'both-changed',
  '23': 'both-added',
  '13': 'deleted-in-base',
  '12': 'deleted-in-result',
};

/** `listed` is the output of `git ls-files --unmerged -z`, sorted by path and stage. */
function conflictsIn(listed: string): ConflictedFile[] {
  const sides = new Map<string, string>();
  for (const entry of zSplit(listed)) {
    const { fields, path } = entryOf(entry);
    sides.set(path, `${sides.get(path) ?? ''}${fields.at(-1)}`);
  }
  return [...sides].map(([path, side]) => ({ path, how: HOW[side] ?? 'moved' }));
}

/** Returns the paths of files that contain conflict markers in a tree but not in the base. */
export async function conflictMarkers(repo: Repository, base: string, tree: string): Promise<string[]> {
  const [before, now] = await Promise.all([base, tree].map(treeish => markedFiles(repo, treeish)));
  return now!.filter(path => !before!.includes(path));
}

async function markedFiles(repo: Repository, treeish: string): Promise<string[]> {
  const patterns = ['<<<<<<< ', '>>>>>>> ', '||||||| '].flatMap(marker => ['-e', `^${marker}`]);
  const found = await askGit(repo, ['grep', '-l', '-z', '-I', '--basic-regexp', ...patterns, treeish]);
  return found === null ? [] : zSplit(found).map(name => name.slice(treeish.length + 1));
}
