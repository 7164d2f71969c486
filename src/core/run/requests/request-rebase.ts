/** Asks the driver of a run to rebase its result. Refuses an impossible rebase before writing anything. */

import { beganAt, type RunOptions } from '../../../formats/config/run-options.ts';
import type { ProjectFiles, RunFiles } from '../../../formats/layout.ts';
import type { PersonRequest } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { repositoryOfRun } from '../../../workspace/git/open-repository.ts';
import { movedBranch, type RebasedRun, rebaseTarget } from '../../../workspace/rebase-target.ts';
import { expectOptions, readOptions } from '../record/read-run-record.ts';
import { FROM_TERMINAL } from './decision-proof.ts';
import { readyPack, writeRequest } from './write-requests.ts';

export interface RunPlace {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly state: RunState;
}

/**
 * If `onto` is null, requests a rebase onto the branch that the run started from. Throws `E_RUN_OVER`, `E_NOT_READY`,
 * and the errors of `rebaseTarget`.
 */
export async function requestRebase(
  { project, files, state }: RunPlace,
  onto: string | null,
  source = FROM_TERMINAL,
): Promise<PersonRequest<'rebase'>> {
  readyPack(state);
  const options = await expectOptions(files);
  const repo = await repositoryOfRun(project, options);
  const { commit, name } = await rebaseTarget(repo, runOf(state, options), onto);
  const request = { asked_at: new Date().toISOString(), base: commit, onto: name };
  return writeRequest(files, state, 'rebase', request, source);
}

/** Returns the branch that the run started from if it has moved since; otherwise null. */
export async function movedSince({ project, files, state }: RunPlace): Promise<string | null> {
  const options = await readOptions(files);
  return options && movedBranch(await repositoryOfRun(project, options), runOf(state, options));
}

const runOf = ({ run_id, base }: RunState, options: RunOptions): RebasedRun => ({
  id: run_id,
  base,
  began: beganAt(options),
});
