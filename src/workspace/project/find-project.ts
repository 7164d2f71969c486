/** Finds the project that a folder is in. */
import { dirname, join, resolve, sep } from 'node:path';
import { dureError } from '../../errors.ts';
import { exists } from '../../formats/file-system/path-status.ts';
import { DURE_DIR, type ProjectFiles, projectFiles } from '../../formats/layout.ts';

/**
 * Returns the project in `from` or its nearest parent folder that has `.dure/config`. Below the `.dure` folder of a
 * project it returns that project: the worktree of a run has a copy of the configuration but is no project of its own.
 * Throws `E_NOT_A_PROJECT`.
 */
export async function findProject(from: string): Promise<ProjectFiles> {
  const roots: string[] = [];
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (await exists(join(dir, DURE_DIR, 'config'))) roots.push(dir);
    if (dir === dirname(dir)) break;
  }
  const [nearest] = roots;
  if (nearest === undefined) throw dureError('E_NOT_A_PROJECT', { dir: resolve(from) });
  return projectFiles(roots.find(root => nearest.startsWith(join(root, DURE_DIR) + sep)) ?? nearest);
}
