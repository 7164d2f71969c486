/** Removes symbolic links that replaced run folders. Dure did not follow them: see refuse-symlinks.ts. */
import { mkdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dureError } from '../../errors.ts';
import { statsOf } from '../../files/path-status.ts';
import { type RunFiles, runFolders } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';

/** Returns the removed links with their targets. The worktree is created again when its agent starts. */
export async function removeLinks(files: RunFiles, { setup }: Pick<RunState, 'setup'>): Promise<string[]> {
  if (await isLink(files.dir)) throw dureError('E_DISK', { file: files.dir, why: 'it is a symbolic link' });
  const removed: string[] = [];
  // In order, so that a folder is real before the folders in it are checked.
  for (const folder of runFolders(setup.pipeline.map(step => step.folder))) {
    const path = join(files.dir, folder);
    if (!(await isLink(path))) continue;
    removed.push(`${folder} -> ${await readlink(path)}`);
    await rm(path);
    if (path !== files.worktree) await mkdir(path);
  }
  return removed;
}

const isLink = async (path: string): Promise<boolean> => (await statsOf(path))?.isSymbolicLink() === true;
