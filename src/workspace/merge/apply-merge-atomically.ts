/**
 * Writes a result over the user's files atomically: if a step fails, the files are restored, unless HEAD has moved: then
 * they may be part of what somebody else committed.
 */
import { DureError } from '../../errors.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { backUpFiles, type FileBackup } from './file-backup.ts';

export interface MergeApplication {
  readonly workTree: string;
  /** All files to be written or removed. */
  readonly paths: readonly string[];
  /** Folder for copies of these files during the merge. */
  readonly backupDir: string;
  write(): Promise<void>;
  /** Builds the new index, without changing the user's. */
  prepareIndex(): Promise<void>;
  installIndex(): Promise<void>;
  isHeadMoved(): Promise<boolean>;
  /** Paths whose content is now neither the user's earlier version nor the result's. */
  others(): Promise<ReadonlySet<string>>;
}

export interface ApplyFailure extends Undone {
  readonly error: unknown;
}

interface Undone {
  /** Files that still contain the result because they could not be restored. */
  readonly notRestored: readonly string[];
  /** Whether these files were not restored because HEAD has moved. */
  readonly headMoved: boolean;
}

/**
 * Calls `write`, `prepareIndex`, `then` and `installIndex`. Returns null on success. Throws if the index cannot be
 * replaced although the branch has been moved.
 */
export async function applyMerge(
  merge: MergeApplication,
  then: () => Promise<void>,
): Promise<ApplyFailure | null> {
  const { workTree, paths, backupDir } = merge;
  const removeBackup = () => removeFolder(backupDir);
  let backup: FileBackup | null = null;
  let isMerged = false;
  try {
    backup = await backUpFiles(workTree, paths, backupDir);
    await merge.write();
    await merge.prepareIndex();
    await then();
    isMerged = true;
    await merge.installIndex();
  } catch (error) {
    // The next attempt finishes the index with the folder.
    if (isMerged) throw error;
    const undone = backup ? undo(merge, backup) : Promise.resolve({ notRestored: [], headMoved: false });
    return { error, ...(await undone.finally(removeBackup)) };
  }
  await removeBackup();
  return null;
}

async function undo(merge: MergeApplication, backup: FileBackup): Promise<Undone> {
  const changed = await backup.changed();
  try {
    if (await merge.isHeadMoved()) return { notRestored: changed, headMoved: true };
    const others = changed.length ? await merge.others() : new Set();
    const notRestored = await backup.restore(changed.filter(path => !others.has(path)));
    return { notRestored, headMoved: false };
  } catch (error) {
    // If git fails, Dure cannot tell whose content a file has. Leave everything as it is; the next attempt finishes
    // the merge.
    if (!(error instanceof DureError)) throw error;
    return { notRestored: changed, headMoved: false };
  }
}
