/** Writes a result over the user's files atomically: if a step fails, the files are restored. */
import { rm } from 'node:fs/promises';
import { DureError } from '../errors.ts';
import { backUpFiles, type FileBackup } from './file-backup.ts';

export interface MergeApplication {
  readonly workTree: string;
  /** All files to be written or removed. */
  readonly paths: readonly string[];
  /** Folder for copies of these files during the merge. */
  readonly backupDir: string;
  write(): Promise<void>;
  updateIndex(): Promise<void>;
  revertIndex(): Promise<void>;
  /** Paths whose content is now neither the user's earlier version nor the result's. */
  others(): Promise<ReadonlySet<string>>;
}

export interface ApplyFailure {
  readonly error: unknown;
  /** Files that could not be restored and contain the result. */
  readonly notRestored: readonly string[];
}

/** Calls `write`, `updateIndex` and `then`. Returns null on success. */
export async function applyMerge(
  merge: MergeApplication,
  then: () => Promise<void>,
): Promise<ApplyFailure | null> {
  const { workTree, paths, backupDir } = merge;
  let backup: FileBackup | null = null;
  let indexUpdated = false;
  try {
    backup = await backUpFiles(workTree, paths, backupDir);
    await merge.write();
    await merge.updateIndex();
    indexUpdated = true;
    await then();
    return null;
  } catch (error) {
    return { error, notRestored: backup ? await undo(merge, backup, indexUpdated) : [] };
  } finally {
    await rm(backupDir, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function undo(
  merge: MergeApplication,
  backup: FileBackup,
  indexUpdated: boolean,
): Promise<readonly string[]> {
  const changed = await backup.changed();
  try {
    const others = changed.length ? await merge.others() : new Set();
    if (indexUpdated) await merge.revertIndex();
    return await backup.restore(changed.filter(path => !others.has(path)));
  } catch (error) {
    // If git fails, Dure cannot tell whose content a file has. Leave everything as it is; the next attempt finishes
    // the merge.
    if (!(error instanceof DureError)) throw error;
    return indexUpdated ? merge.paths : changed;
  }
}
