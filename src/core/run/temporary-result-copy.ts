/**
 * Copies a sealed result and installs its dependencies, as for the tests, so that the user can try it out. The copy
 * exists only while `work` runs; copies that a killed process left behind are removed by the next call.
 */
import { basename, join } from 'node:path';
import { dureError } from '../../errors.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { identityOf } from '../../process/identity.ts';
import { type PreparedCheckout, prepareCheckout } from '../../proof/prepare-checkout.ts';
import { findCheckouts, removeCheckouts } from '../../workspace/checkout.ts';
import { filtersOf } from '../../workspace/git/configured-programs.ts';
import { sealedResult } from '../policy/state/sealed-trees.ts';
import { workspaceOf } from './launch/prepare-automated-launch.ts';
import { recordedOrOwnRepository } from './record/open-recorded-repository.ts';

export interface ResultCopyOf {
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly state: RunState;
  /** Receives the output of the set-up. */
  readonly onOutput: (chunk: Buffer) => void;
}

/** Throws `E_NO_RESULT` when nothing has been sealed yet. */
export async function withResultCopy<T>(
  { project, files, state, onOutput }: ResultCopyOf,
  work: (copy: PreparedCheckout) => Promise<T>,
): Promise<T> {
  const result = state.mrp ?? sealedResult(state);
  if (!result) throw dureError('E_NO_RESULT', { run: state.run_id });
  const found = await recordedOrOwnRepository(project, files);
  const repo = { ...found, filters: filtersOf(state.setup.git) };
  const workspace = await workspaceOf({ project, repo }, state);
  // The run's own checkouts are not removed here: its driver does that.
  const runDir = copiesOf(files);
  for (const folder of await findCheckouts(workspace.state, runDir)) {
    const pid = Number(basename(folder).split('-')[1]);
    if (identityOf(pid) === null) await removeCheckouts(workspace.state, runDir, pid);
  }
  try {
    const copy = await prepareCheckout({
      workspace,
      runDir,
      launch: process.pid,
      part: 'shell',
      commit: result.commit,
      env: process.env,
      signal: new AbortController().signal,
      onOutput,
    });
    return await work(copy);
  } finally {
    await removeCheckouts(workspace.state, runDir, process.pid);
  }
}

/** Returns a path that identifies the copies of a run; nothing exists at that path. */
export const copiesOf = (files: RunFiles): string => join(files.dir, 'copies');
