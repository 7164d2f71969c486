/**
 * The folder a run's Builder works in: a git worktree on the branch of the run. Always true here: a folder that is
 * there is whole, for it is made aside and moved into place; what an agent left in it is never thrown away by adding
 * it again; the `.git` pointer inside, which an agent may change, is never followed.
 *
 * The pointer, the branch and the index in it are a courtesy to agents, so that `git status` and `git diff` work there.
 */
import { copyFile, lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { askGit, git, type Repository } from './git.ts';
import { locked } from './lock.ts';
import { inRoom } from './room.ts';
import { worktreeGitDir } from './worktree-git-dir.ts';

export const runBranch = (runId: string): string => `dure/${runId}`;

const inTurn = <T>(repo: Repository, work: () => Promise<T>): Promise<T> =>
  locked(join(repo.commonDir, 'dure-worktrees.lock'), work);

/** Makes the worktree, or finishes or keeps the one that is there. `commit` is what it starts with. */
export async function addWorktree(
  repo: Repository,
  dir: string,
  branch: string,
  commit: string,
): Promise<void> {
  // What is there and whole stays so, whoever has the turn.
  if ((await isFolderInUse(dir)) && (await worktreeGitDir(repo, dir))) return;
  await inTurn(repo, async () => {
    if (!(await isFolderInUse(dir))) await make(repo, dir, branch, commit);
    else if (!(await worktreeGitDir(repo, dir))) await rejoin(repo, dir, branch, commit);
  });
}

/** Where a worktree is made. The last part names it within git. */
const asideOf = (dir: string, branch: string) => join(dirname(dir), basename(branch));

async function make(repo: Repository, dir: string, branch: string, commit: string): Promise<void> {
  const aside = asideOf(dir, branch);
  await register(repo, aside, branch, commit);
  await inRoom(repo, aside, async room => {
    await room.git(['read-tree', '--reset', '-u', commit]);
    await settleWorktree(repo, aside, branch, room.index);
  });
  await rm(dir, { recursive: true, force: true });
  await rename(aside, dir);
  await git(repo, ['worktree', 'repair', dir]);
}

/** For a folder that git does not know, be it that it was cut off while it was made or that git has forgotten it. */
async function rejoin(repo: Repository, dir: string, branch: string, commit: string): Promise<void> {
  const aside = asideOf(dir, branch);
  const at = (await askGit(repo, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])) ?? commit;
  await register(repo, aside, branch, at);
  await inRoom(repo, null, async room => {
    await room.git(['read-tree', at]);
    await settleWorktree(repo, aside, branch, room.index);
  });
  await rm(join(dir, '.git'), { recursive: true, force: true });
  await rename(join(aside, '.git'), join(dir, '.git'));
  await rm(aside, { recursive: true, force: true });
  await git(repo, ['worktree', 'repair', dir]);
}

async function register(repo: Repository, dir: string, branch: string, commit: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await git(repo, ['update-ref', `refs/heads/${branch}`, commit]);
  // Forced twice: an attempt that was cut short may have registered the same folder, locked.
  const force = ['--force', '--force', '--lock', '--quiet', '--no-checkout'];
  await git(repo, ['worktree', 'add', ...force, dir, branch]);
}

async function isFolderInUse(dir: string): Promise<boolean> {
  const stats = await lstat(dir).catch(() => null);
  return stats?.isDirectory() === true && (await readdir(dir)).length > 0;
}

/** Removes folder and registration. The branch stays. */
export const removeWorktree = (repo: Repository, dir: string): Promise<void> =>
  inTurn(repo, async () => {
    const gitDir = await worktreeGitDir(repo, dir);
    // Git would first look whether the pointer in the folder is right, and refuse when an agent has changed it.
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
    if (gitDir) await git(repo, ['worktree', 'remove', '--force', '--force', dir]);
  });

/** Puts branch and index of the worktree to what was sealed, so that git inside it tells agents the truth. */
export async function settleWorktree(
  repo: Repository,
  dir: string,
  branch: string,
  index: string,
): Promise<void> {
  const gitDir = await worktreeGitDir(repo, dir);
  if (!gitDir) return;
  const head = `refs/heads/${branch}`;
  // Asked of the file, which tells in no time what it mostly is.
  if ((await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')) !== `ref: ${head}\n`)
    await git({ ...repo, gitDir, workTree: dir }, ['symbolic-ref', 'HEAD', head]);
  const next = join(gitDir, 'index.dure');
  await rm(next, { force: true });
  await copyFile(index, next);
  await rename(next, join(gitDir, 'index'));
}
