/**
 * Determines where to create a new project: at the root of its repository, because a run works on the
 * whole repository. The nearest folder with a manifest becomes `workspace.directory`.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { dureError } from '../../errors.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { findRepository } from '../git/open-repository.ts';

const MANIFESTS = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'go.mod', 'Cargo.toml'];

export interface ProjectRoot {
  readonly root: string;
  /** The value for `workspace.directory`, relative to `root`. */
  readonly directory: string;
}

/** Throws `E_FILE_MISSING` if the folder does not exist. */
export async function newProjectRoot(where: string): Promise<ProjectRoot> {
  const folder = await realpath(where).catch(unlessDiskFails(null));
  if (folder === null) throw dureError('E_FILE_MISSING', { file: where });
  const repo = await findRepository(folder);
  if (repo === null || repo.prefix === '') return { root: where, directory: '.' };
  return { root: repo.workTree, directory: packageAround(folder, repo.workTree) };
}

function packageAround(folder: string, top: string): string {
  for (let dir = folder; dir !== top && dir !== dirname(dir); dir = dirname(dir))
    if (MANIFESTS.some(name => existsSync(join(dir, name)))) return relative(top, dir).split(sep).join('/');
  return '.';
}
