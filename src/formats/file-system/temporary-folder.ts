/** Creates folders for temporary files. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';
import { removeFolder } from './remove-folder.ts';

/**
 * Creates a folder that only this user can access. TMPDIR may belong to a session that has since ended, so it is
 * recreated if it is missing.
 */
export async function temporaryFolder(prefix: string): Promise<string> {
  await createFolder(tmpdir(), 0o700);
  return mkdtemp(join(tmpdir(), prefix));
}

/** Calls `work` with a new folder, and removes the folder afterwards. */
export async function withTemporaryFolder<T>(
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await temporaryFolder(prefix);
  try {
    return await work(folder);
  } finally {
    await removeFolder(folder);
  }
}
