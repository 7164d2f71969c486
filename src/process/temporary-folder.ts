/** Creates folders for temporary files. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder, open to this user only. TMPDIR may belong to a session that has since ended, so it is
 * recreated if it is missing.
 */
export async function temporaryFolder(prefix: string): Promise<string> {
  await mkdir(tmpdir(), { recursive: true, mode: 0o700 });
  return mkdtemp(join(tmpdir(), prefix));
}
