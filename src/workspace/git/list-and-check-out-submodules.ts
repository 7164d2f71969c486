/**
 * Writes the files of submodules into a checkout, from the git directories of the user's working tree, without
 * using the network. A submodule that the user has not initialized, or whose commit is missing, remains an
 * empty folder. Submodules are not part of a result: an agent's changes in a submodule are not included.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { withIsolatedGit } from './isolated-git.ts';
import { findRepository } from './open-repository.ts';
import { type Repository, runGitIn } from './run-git.ts';
import { type TreeEntry, treeEntries } from './tree-entries.ts';
import { writeTreeToFolder } from './write-tree-to-folder.ts';

export interface Submodule {
  readonly path: string;
  /**
   * The repository that contains the commit of the submodule; null if the user has not initialized the submodule or
   * lacks that commit.
   */
  readonly repository: Repository | null;
  readonly commit: string;
}

/** Returns the paths of a tree's submodules, without nested ones. */
export const submodulePaths = async (repo: Repository, treeish: string): Promise<ReadonlySet<string>> =>
  new Set((await linksIn(repo, treeish)).map(({ path }) => path));

const linksIn = async (repo: Repository, treeish: string): Promise<TreeEntry[]> =>
  (await withIsolatedGit(repo, null, isolated => treeEntries(isolated.git, treeish))).filter(
    ({ kind }) => kind === 'submodule',
  );

/** Returns the submodules of a tree, without nested ones. */
export async function submodulesIn(repo: Repository, treeish: string): Promise<Submodule[]> {
  return Promise.all(
    (await linksIn(repo, treeish)).map(async ({ path, id: commit }) => {
      const found = await repositoryAt(join(repo.workTree, path));
      return { path, commit, repository: found && (await has(found, commit)) ? found : null };
    }),
  );
}

export async function checkoutSubmodules(repo: Repository, treeish: string, dir: string): Promise<void> {
  if (!(await exists(join(dir, '.gitmodules')))) return;
  for (const { path, repository, commit } of await submodulesIn(repo, treeish)) {
    if (!repository) continue;
    await writeTreeToFolder(repository, commit, join(dir, path));
    await checkoutSubmodules(repository, commit, join(dir, path));
  }
}

/** Null when the folder is not the root of a repository. */
async function repositoryAt(folder: string): Promise<Repository | null> {
  if (!(await exists(join(folder, '.git')))) return null;
  const found = await findRepository(folder);
  return found?.prefix === '' ? found : null;
}

const has = async (repo: Repository, commit: string): Promise<boolean> =>
  (await runGitIn(repo, ['cat-file', '-e', `${commit}^{commit}`], { cwd: repo.workTree })).code === 0;

/** Writes the files of the submodules whose commit differs between two trees. */
export async function updateSubmodules(
  repo: Repository,
  { from, to }: { readonly from: string; readonly to: string },
  dir: string,
): Promise<void> {
  const before = await submodulesIn(repo, from);
  const top = await realpath(dir);
  for (const { path, repository, commit } of await submodulesIn(repo, to)) {
    const folder = join(top, path);
    const isThere = before.some(one => one.path === path && one.commit === commit);
    // An agent may have replaced a parent folder with a link.
    const parent = await realpath(dirname(folder)).catch(unlessDiskFails(null));
    if (isThere || parent !== dirname(folder)) continue;
    await removeFolder(folder);
    await mkdir(folder);
    if (!repository) continue;
    await writeTreeToFolder(repository, commit, folder);
    await checkoutSubmodules(repository, commit, folder);
  }
}
