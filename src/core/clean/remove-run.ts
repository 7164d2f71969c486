/**
 * Removes a run: its folder with the worktree, its checkouts, its stored environment, git's record of the worktree, and
 * its sealed refs. The folder is renamed first, so a run is either complete or removed; the next call finishes an
 * interrupted removal. No work is lost: edits in the worktree are saved in git first, and unless the user's current
 * branch contains the run's branch, that branch and the pack are kept.
 * `refs/dure/backup/…` is always kept. The folder may be missing already.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, namesIn } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, type RunFiles, runBranchRef, runFiles, runIdOf } from '../../formats/layout.ts';
import { runId } from '../../formats/schema/common-fields.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { isInHead } from '../../workspace/git/commit-ancestry-and-damage.ts';
import { releaseIndexLock } from '../../workspace/git/lock-user-index.ts';
import { refsIn } from '../../workspace/git/refs-in.ts';
import { git, type Repository, revParse } from '../../workspace/git/run-git.ts';
import { packRef } from '../../workspace/pack/commit-pack.ts';
import { keptRefs } from '../../workspace/seal/keep-unsealed-edits.ts';
import { sealRef } from '../../workspace/seal/seal.ts';
import { stateFolder } from '../../workspace/user-state-folder.ts';
import { removeWorktree } from '../../workspace/worktree.ts';
import { acquireDriverLock } from '../run/driver-lock.ts';
import { keepEditsOfRun } from '../run/keep-edits-of-run.ts';
import { removeEnvironment } from '../run/launch/environment-variable-store.ts';
import { readOptions, readRecord } from '../run/record/read-run-record.ts';
import { copiesOf } from '../run/temporary-result-copy.ts';

const ASIDE = '.removing-';

/**
 * Returns the refs of the run that are left: its branch, its pack, edits in its worktree, and what it kept of lost
 * branches, tags and stash entries. Throws `E_DRIVER_ALIVE` if the run has a driver, and `E_GIT` if git cannot store
 * the edits.
 */
export async function removeRun(project: ProjectFiles, repo: Repository, id: string): Promise<string[]> {
  const files = await lockedFiles(project, id);
  const { state } = await readRecord(files);
  if (state) await keepEditsOfRun(project, files, state);
  return removeLocked(project, repo, files);
}

/** Like `removeRun`, but saves no edits and, apart from backups, keeps no ref of the run except an unmerged branch. */
export async function discardRun(project: ProjectFiles, repo: Repository, id: string): Promise<string[]> {
  await removeLocked(project, repo, await lockedFiles(project, id));
  await deleteRefs(repo, await refsIn(repo, [packRef(id), keptRefs(id)]));
  return remainingRefs(repo, id);
}

async function lockedFiles(project: ProjectFiles, id: string): Promise<RunFiles> {
  const files = runFiles(project.run(runId.parse(id)));
  if (await exists(files.dir)) await acquireDriverLock(files, id);
  return files;
}

async function removeLocked(project: ProjectFiles, repo: Repository, files: RunFiles): Promise<string[]> {
  const id = runIdOf(files);
  await releaseIndexLock(repo, id);
  const options = await readOptions(files).catch(unlessDiskFails(null));
  if (options) await removeEnvironment(options.environment, id);
  if (await exists(files.dir)) await rename(files.dir, join(project.runs, `${ASIDE}${id}`));
  return finish(project, repo, id);
}

/** Lists the ids of runs whose removal was interrupted. */
export async function partlyRemovedRuns(project: ProjectFiles): Promise<string[]> {
  const names = await namesIn(project.runs);
  return names
    .filter(name => name.startsWith(ASIDE))
    .map(name => name.slice(ASIDE.length))
    .filter(id => runId.safeParse(id).success)
    .sort();
}

/**
 * Deletes the renamed folder of a run, and everything else that belongs to the run. Returns the refs that are left.
 * Idempotent.
 */
export async function finish(project: ProjectFiles, repo: Repository, id: string): Promise<string[]> {
  // A new run may have the same id; keep its data.
  if (!(await exists(project.run(id)))) {
    const state = await stateFolder(repo.workTree);
    await removeCheckouts(state, project.run(id));
    await removeCheckouts(state, copiesOf(runFiles(project.run(id))));
    await removeWorktree(repo, runFiles(project.run(id)).worktree);
    await dropRefs(repo, id);
  }
  await removeFolder(join(project.runs, `${ASIDE}${id}`));
  return remainingRefs(repo, id);
}

async function dropRefs(repo: Repository, id: string): Promise<void> {
  const branch = runBranchRef(id);
  const tip = await revParse(repo, branch);
  const isMerged = tip === null || (await isInHead(repo, tip));
  const refs = await refsIn(repo, [sealRef(id, ''), ...(isMerged ? [packRef(id)] : [])]);
  if (tip && isMerged && !(await isCheckedOut(repo, branch))) refs.push(branch);
  await deleteRefs(repo, refs);
}

const remainingRefs = (repo: Repository, id: string): Promise<string[]> =>
  refsIn(repo, [runBranchRef(id), packRef(id), keptRefs(id)]);

async function deleteRefs(repo: Repository, refs: readonly string[]): Promise<void> {
  if (refs.length > 0)
    await git(repo, ['update-ref', '--stdin'], { input: refs.map(ref => `delete ${ref}\n`).join('') });
}

/** Whether the branch is checked out, here or in another worktree. */
async function isCheckedOut(repo: Repository, branch: string): Promise<boolean> {
  const listed = await git(repo, ['worktree', 'list', '--porcelain']);
  return listed.split('\n').includes(`branch ${branch}`);
}
