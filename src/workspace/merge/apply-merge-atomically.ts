/**
 * Writes a result over the user's files atomically. If a step fails, the files are restored, unless HEAD has moved:
 * they may then be part of what somebody else committed.
 */

import { join } from 'node:path';
import { DureError } from '../../errors.ts';
import { statsOf } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { backUpFiles, type FileBackup } from './back-up-and-restore-files.ts';
import { mergeFolder } from './merge-into-index.ts';
import { conflictingPaths, type MergePlan, partlyWrittenFiles } from './merge-plan-and-conflicts.ts';

export interface ApplyFailure extends Undone {
  readonly error: unknown;
}

interface Undone {
  /** Changed files that were not restored, and so may still contain the result. */
  readonly notRestored: readonly string[];
  /** Whether the files in `notRestored` were left as they are because HEAD has moved. */
  readonly headMoved: boolean;
}

/**
 * Calls `write`, `prepareIndex`, `then` and `installIndex`. Returns null on success. Throws if the index cannot be
 * replaced although the branch has been moved.
 */
export async function applyMerge(plan: MergePlan, then: () => Promise<void>): Promise<ApplyFailure | null> {
  const { repo, tree, to } = plan;
  const paths = await changedFiles(repo, tree, to);
  // The next attempt removes what a power cut left behind.
  const backupDir = mergeFolder(repo, to);
  const removeBackup = () => removeFolder(backupDir);
  let backup: FileBackup | null = null;
  let isMerged = false;
  try {
    backup = await backUpFiles(repo.workTree, paths, backupDir);
    await plan.write();
    await plan.prepareIndex();
    await then();
    isMerged = true;
    await plan.installIndex();
  } catch (error) {
    // The folder is kept, because the next attempt uses it to finish the index.
    if (isMerged) throw error;
    const undone = backup ? undo(plan, backup) : Promise.resolve({ notRestored: [], headMoved: false });
    return { error, ...(await undone.finally(removeBackup)) };
  }
  await removeBackup();
  return null;
}

async function undo(plan: MergePlan, backup: FileBackup): Promise<Undone> {
  const changed = await backup.changed();
  try {
    if (await plan.isHeadMoved()) return { notRestored: changed, headMoved: true };
    const others = changed.length ? await foreignVersions(plan) : new Set();
    const notRestored = await backup.restore(changed.filter(path => !others.has(path)));
    return { notRestored, headMoved: false };
  } catch (error) {
    // If git fails, Dure cannot tell whose content a file has. Leave everything as it is; the next attempt finishes
    // the merge.
    if (!(error instanceof DureError)) throw error;
    return { notRestored: changed, headMoved: false };
  }
}

/** Returns the paths whose content is now neither the user's earlier version nor the result's. */
async function foreignVersions(plan: MergePlan): Promise<ReadonlySet<string>> {
  const { repo, tree, to } = plan;
  const now = await plan.inspectAgain();
  const differing: string[] = [];
  // Git removes a file before it rewrites it, so nothing is lost if a file is missing.
  for (const path of [...(await conflictingPaths(repo, now.tree, tree, to)), ...now.unknown])
    if (await statsOf(join(repo.workTree, path))) differing.push(path);
  const partlyWritten = await partlyWrittenFiles({ ...plan, conflicts: differing });
  return new Set(differing.filter(path => !partlyWritten.includes(path)));
}
