/**
 * Removes a run: its folder with the worktree, its checkouts, its stored environment, git's record of the
 * worktree, and its sealed refs. The folder is renamed first, so a run is either complete or removed; the
 * next call finishes an interrupted removal. Only the run's own refs are deleted: `refs/dure/backup/…` is
 * kept, and so is the branch unless the user's current branch contains all of it.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, namesIn } from '../../formats/file-system/path-status.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { type ProjectFiles, runBranch, runFiles } from '../../formats/layout.ts';
import { runId } from '../../formats/schema/common-fields.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { isInHead } from '../../workspace/git/commit-ancestry-and-damage.ts';
import { releaseIndexLock } from '../../workspace/git/lock-user-index.ts';
import { git, type Repository, revParse } from '../../workspace/git/run-git.ts';
import { packRef } from '../../workspace/pack/commit-pack.ts';
import { stateFolder } from '../../workspace/user-state-folder.ts';
import { removeWorktree } from '../../workspace/worktree.ts';
import { acquireDriverLock } from '../run/driver-lock.ts';
import { removeEnvironment } from '../run/launch/environment-variable-store.ts';
import { readOptions } from '../run/record/read-run-record.ts';
import { copiesOf } from '../run/temporary-result-copy.ts';

const ASIDE = '.removing-';

/** Throws `E_DRIVER_ALIVE` if the run has a driver. */
export async function removeRun(project: ProjectFiles, repo: Repository, id: string): Promise<void> {
  const dir = project.run(runId.parse(id));
  await acquireDriverLock(runFiles(dir), id);
  await releaseIndexLock(repo, id);
  const options = await readOptions(runFiles(dir)).catch(unlessDiskFails(null));
  if (options) await removeEnvironment(options.environment, id);
  await rename(dir, join(project.runs, `${ASIDE}${id}`));
  await finish(project, repo, id);
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

/** Deletes the renamed folder of a run, and everything else that belongs to the run. Idempotent. */
export async function finish(project: ProjectFiles, repo: Repository, id: string): Promise<void> {
  // A new run may have the same id; keep its data.
  if (!(await exists(project.run(id)))) {
    const state = await stateFolder(repo.workTree);
    await removeCheckouts(state, project.run(id));
    await removeCheckouts(state, copiesOf(runFiles(project.run(id))));
    await removeWorktree(repo, runFiles(project.run(id)).worktree);
    await dropRefs(repo, id);
  }
  await removeFolder(join(project.runs, `${ASIDE}${id}`));
}

async function dropRefs(repo: Repository, id: string): Promise<void> {
  const listed = await git(repo, ['for-each-ref', '--format=%(refname)', `refs/dure/${id}/`, packRef(id)]);
  const branch = `refs/heads/${runBranch(id)}`;
  const tip = await revParse(repo, branch);
  const refs = listed.split('\n').filter(ref => ref !== '');
  if (tip && (await isInHead(repo, tip)) && !(await isCheckedOut(repo, branch))) refs.push(branch);
  if (refs.length > 0)
    await git(repo, ['update-ref', '--stdin'], { input: refs.map(ref => `delete ${ref}\n`).join('') });
}

/** Whether the branch is checked out, here or in another worktree. */
async function isCheckedOut(repo: Repository, branch: string): Promise<boolean> {
  const listed = await git(repo, ['worktree', 'list', '--porcelain']);
  return listed.split('\n').includes(`branch ${branch}`);
}
