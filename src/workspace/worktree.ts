/**
 * Manages the folder in which a run's Builder works: a git worktree on the branch of the run. An existing folder is
 * always complete, because it is created under another name and renamed; adding it again never discards an agent's
 * files; its `.git` pointer, which an agent may change, is never followed.
 *
 * The pointer, branch and index exist only for agents, so that `git status` and `git diff` work there.
 */
import { copyFile, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { statsOf } from '../formats/file-system/path-status.ts';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { expectNoLink } from '../formats/refuse-symlinks.ts';
import { locked } from '../process/file-lock.ts';
import { withIsolatedGit, withProjectGit } from './git/isolated-git.ts';
import { checkoutSubmodules } from './git/list-and-check-out-submodules.ts';
import { worktreeGitDir } from './git/open-repository.ts';
import { git, type Repository, revParse } from './git/run-git.ts';

const withLock = <T>(repo: Repository, work: () => Promise<T>): Promise<T> =>
  locked(join(repo.commonDir, 'dure-worktrees.lock'), work);

/** Creates the worktree at `commit`, or completes or keeps an existing one. */
export async function addWorktree(
  repo: Repository,
  dir: string,
  branch: string,
  commit: string,
): Promise<void> {
  expectNoLink(dir);
  // A complete worktree stays complete, so this check needs no lock.
  if ((await isFolderInUse(dir)) && (await worktreeGitDir(repo, dir))) return;
  await withLock(repo, async () => {
    if (!(await isFolderInUse(dir))) await createWorktree(repo, dir, branch, commit);
    else if (!(await worktreeGitDir(repo, dir))) await reattachWorktree(repo, dir, branch, commit);
  });
}

/** Returns the path at which a worktree is created. The last part of it becomes the worktree's name in git. */
const temporaryFor = (dir: string, branch: string) => join(dirname(dir), basename(branch));

async function createWorktree(repo: Repository, dir: string, branch: string, commit: string): Promise<void> {
  const temporary = temporaryFor(dir, branch);
  await register(repo, temporary, branch, commit);
  await withProjectGit(repo, temporary, async isolated => {
    await isolated.git(['read-tree', '--reset', '-u', commit]);
    await restoreWorktreeHead(repo, temporary, branch, isolated.index);
  });
  await checkoutSubmodules(repo, commit, temporary);
  await removeFolder(dir);
  await rename(temporary, dir);
  await git(repo, ['worktree', 'repair', dir]);
}

/** Registers an existing folder again if its creation was interrupted or git has pruned its registration. */
async function reattachWorktree(
  repo: Repository,
  dir: string,
  branch: string,
  commit: string,
): Promise<void> {
  const temporary = temporaryFor(dir, branch);
  const at = (await revParse(repo, `refs/heads/${branch}`)) ?? commit;
  await register(repo, temporary, branch, at);
  await moveWorktreeBranch(repo, temporary, branch, at);
  await removeFolder(join(dir, '.git'));
  await rename(join(temporary, '.git'), join(dir, '.git'));
  await removeFolder(temporary);
  await git(repo, ['worktree', 'repair', dir]);
}

async function register(repo: Repository, dir: string, branch: string, commit: string): Promise<void> {
  await removeFolder(dir);
  await git(repo, ['update-ref', `refs/heads/${branch}`, commit]);
  // Forced twice, because an interrupted attempt may have registered and locked the same folder.
  const force = ['--force', '--force', '--lock', '--quiet', '--no-checkout'];
  await git(repo, ['worktree', 'add', ...force, dir, branch]);
}

async function isFolderInUse(dir: string): Promise<boolean> {
  const stats = await statsOf(dir);
  return stats?.isDirectory() === true && (await readdir(dir)).length > 0;
}

/** Removes the folder and its registration. The branch is kept. */
export const removeWorktree = (repo: Repository, dir: string): Promise<void> =>
  withLock(repo, async () => {
    const gitDir = await worktreeGitDir(repo, dir);
    // If the folder exists, git checks its `.git` pointer and refuses if an agent has changed it.
    await removeFolder(dir);
    if (gitDir) await git(repo, ['worktree', 'remove', '--force', '--force', dir]);
  });

/** Points the worktree's HEAD at `branch` and replaces its index, so that git shows agents the correct state. */
export async function restoreWorktreeHead(
  repo: Repository,
  dir: string,
  branch: string,
  index: string,
): Promise<void> {
  const gitDir = await worktreeGitDir(repo, dir);
  if (!gitDir) return;
  const head = `refs/heads/${branch}`;
  // Reading the file is faster than calling git, and HEAD is usually correct.
  if ((await readFile(join(gitDir, 'HEAD'), 'utf8').catch(unlessDiskFails(''))) !== `ref: ${head}\n`)
    await git({ ...repo, gitDir, workTree: dir }, ['symbolic-ref', 'HEAD', head]);
  const next = join(gitDir, 'index.dure');
  await rm(next, { force: true });
  await copyFile(index, next);
  await rename(next, join(gitDir, 'index'));
}

/** Sets the branch and index of the worktree to a commit. The files stay as they are. */
export async function moveWorktreeBranch(
  repo: Repository,
  dir: string,
  branch: string,
  commit: string,
): Promise<void> {
  await git(repo, ['update-ref', `refs/heads/${branch}`, commit]);
  await withIsolatedGit(repo, null, async isolated => {
    await isolated.git(['read-tree', commit]);
    await restoreWorktreeHead(repo, dir, branch, isolated.index);
  });
}

/**
 * Sets `branch` to a commit and detaches HEAD of the worktree, so that another worktree can check out the branch.
 * The worktree keeps its files.
 */
export async function releaseWorktree(
  repo: Repository,
  dir: string,
  branch: string,
  commit: string,
): Promise<void> {
  const gitDir = await worktreeGitDir(repo, dir);
  // The folder itself may no longer exist.
  if (gitDir) await git({ ...repo, gitDir }, ['update-ref', '--no-deref', 'HEAD', commit]);
  await git(repo, ['update-ref', `refs/heads/${branch}`, commit]);
}
