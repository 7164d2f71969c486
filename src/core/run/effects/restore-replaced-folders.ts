/**
 * Restores run folders that an agent replaced with a symbolic link, a file or a pipe. Dure does not follow such links:
 * see refuse-symlinks.ts.
 */
import type { Stats } from 'node:fs';
import { mkdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dureError } from '../../../errors.ts';
import { statsOf } from '../../../formats/file-system/path-status.ts';
import { type RunFiles, runFolders } from '../../../formats/layout.ts';
import type { RunState } from '../../../formats/state.ts';
import type { Observation } from '../../policy/observation.ts';

/** Returns which folders had been replaced, and by what. The worktree is created again when its agent starts. */
export async function restoreFolders(files: RunFiles, { setup }: Pick<RunState, 'setup'>): Promise<string[]> {
  const replacedRun = await replacement(files.dir);
  if (replacedRun) throw dureError('E_DISK', { file: files.dir, why: `it is ${replacedRun}` });
  const replaced: string[] = [];
  // Outer folders first, so that each one is restored before the folders in it are checked.
  for (const folder of runFolders(setup.pipeline.map(step => step.folder))) {
    const path = join(files.dir, folder);
    const found = await replacement(path);
    if (found === null) continue;
    replaced.push(`${folder} (${found})`);
    // A running agent may create the folder first. An error would lose the list of replaced folders.
    await rm(path, { force: true }).catch(ignore('ERR_FS_EISDIR'));
    if (path !== files.worktree) await mkdir(path).catch(ignore('EEXIST'));
  }
  return replaced;
}

/**
 * A launch can fail only after its start has been recorded, but a fast agent may replace a folder earlier. The returned
 * function keeps reporting what was restored until the start has been recorded.
 */
export function rememberReplaced(): (s: RunState, seen: Observation) => Observation {
  let unreported: readonly string[] = [];
  return (s, seen) => {
    const replaced = [...unreported, ...seen.replaced];
    unreported = s.since === null && seen.claim !== null ? replaced : [];
    return { ...seen, replaced };
  };
}

const ignore =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error;
  };

/** Says what has taken the place of a folder; null if the folder is still there, or if the path does not exist. */
async function replacement(path: string): Promise<string | null> {
  const stats = await statsOf(path);
  if (stats === null || stats.isDirectory()) return null;
  return stats.isSymbolicLink() ? `a link to ${await readlink(path)}` : kindOf(stats);
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  return stats.isFIFO() ? 'a pipe' : 'a special file';
}
