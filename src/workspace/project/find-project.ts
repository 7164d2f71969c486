/** Finds the project that a folder is in. */
import { dirname, join, resolve } from 'node:path';
import { dureError } from '../../errors.ts';
import { exists } from '../../formats/file-system/path-status.ts';
import { DURE_DIR, type ProjectFiles, projectFiles } from '../../formats/layout.ts';

/**
 * Returns the project in `from` or its nearest parent folder that has `.dure/config`. Throws
 * `E_NOT_A_PROJECT`.
 */
export async function findProject(from: string): Promise<ProjectFiles> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (await exists(join(dir, DURE_DIR, 'config'))) return projectFiles(dir);
    if (dir === dirname(dir)) throw dureError('E_NOT_A_PROJECT', { dir: resolve(from) });
  }
}
