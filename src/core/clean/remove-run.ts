/**
 * Removes a run: its folder with the worktree, its checkouts, what git knows of the worktree, and its sealed refs. Always true
 * here: the folder is moved aside first, so that a run is there whole or gone; what was cut short is finished by the
 * next; nothing outside `.dure/runs` is deleted but the run's own refs; `refs/dure/backup/…` stays; and so does the
 * branch, unless the person's own branch holds all of it.
 */
import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { runId } from '../../formats/define.ts';
import { type ProjectFiles, runBranch, runFiles } from '../../formats/layout.ts';
import { removeFolder } from '../../process/remove-folder.ts';
import { removeCheckouts } from '../../workspace/checkout.ts';
import { askGit, git, type Repository } from '../../workspace/git.ts';
import { stateFolder } from '../../workspace/state-folder.ts';
import { removeWorktree } from '../../workspace/worktree.ts';
import { takeDriver } from '../run/driver-lock.ts';
import { environmentFolder, removeEnvironment } from '../run/environment-files.ts';
import { readOptions } from '../run/run-store.ts';
import { isInHead } from './survey.ts';

const ASIDE = '.removing-';

/** Throws `E_DRIVER_ALIVE` when somebody began to drive the run meanwhile. */
export async function removeRun(project: ProjectFiles, repo: Repository, id: string): Promise<void> {
  const dir = project.run(runId.parse(id));
  await takeDriver(runFiles(dir), id);
  const options = await readOptions(runFiles(dir)).catch(() => null);
  if (options) await removeEnvironment(await environmentFolder(runFiles(dir), options), id);
  await rename(dir, join(project.runs, `${ASIDE}${id}`));
  await finish(project, repo, id);
}

/** Ids of runs whose removal was cut short. */
export async function partlyRemovedRuns(project: ProjectFiles): Promise<string[]> {
  const names = await readdir(project.runs).catch(() => [] as string[]);
  return names
    .filter(name => name.startsWith(ASIDE))
    .map(name => name.slice(ASIDE.length))
    .filter(id => runId.safeParse(id).success)
    .sort();
}

/** What follows once the folder is aside. May be repeated. */
export async function finish(project: ProjectFiles, repo: Repository, id: string): Promise<void> {
  // A run that has the same id since then must lose nothing.
  if (!existsSync(project.run(id))) {
    await removeCheckouts(await stateFolder(repo.workTree), project.run(id));
    await removeWorktree(repo, runFiles(project.run(id)).worktree);
    await dropRefs(repo, id);
  }
  await removeFolder(join(project.runs, `${ASIDE}${id}`));
}

async function dropRefs(repo: Repository, id: string): Promise<void> {
  const listed = await git(repo, ['for-each-ref', '--format=%(refname)', `refs/dure/${id}/`]);
  const branch = `refs/heads/${runBranch(id)}`;
  const tip = await askGit(repo, ['rev-parse', '--verify', '--quiet', branch]);
  const refs = listed.split('\n').filter(ref => ref !== '');
  if (tip && (await isInHead(repo, tip)) && !(await isCheckedOut(repo, branch))) refs.push(branch);
  if (refs.length > 0)
    await git(repo, ['update-ref', '--stdin'], { input: refs.map(ref => `delete ${ref}\n`).join('') });
}

/** The person may have gone onto the branch, here or in a worktree of their own. */
async function isCheckedOut(repo: Repository, branch: string): Promise<boolean> {
  const listed = await git(repo, ['worktree', 'list', '--porcelain']);
  return listed.split('\n').includes(`branch ${branch}`);
}
