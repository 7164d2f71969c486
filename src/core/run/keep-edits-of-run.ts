/** Finds the worktree of a run, and saves the edits in it that no seal contains. */
import { isFolder } from '../../formats/file-system/path-status.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { filtersOf } from '../../workspace/git/configured-programs.ts';
import { keepUnsealedEdits, type SealedWorktree } from '../../workspace/seal/keep-unsealed-edits.ts';
import { worktreeCommit } from '../policy/state/sealed-trees.ts';
import { recordedOrOwnRepository } from './record/open-recorded-repository.ts';

export const sealedWorktree = ({ worktree }: RunFiles, s: RunState): SealedWorktree => ({
  runId: s.run_id,
  dir: worktree,
  commit: worktreeCommit(s),
});

/** Returns the name of the ref with the edits; null if there are none. Throws `E_GIT` if git cannot store a file. */
export async function keepEditsOfRun(
  project: ProjectFiles,
  files: RunFiles,
  s: RunState,
): Promise<string | null> {
  if (!(await isFolder(files.worktree))) return null;
  const repo = { ...(await recordedOrOwnRepository(project, files)), filters: filtersOf(s.setup.git) };
  return (await keepUnsealedEdits(repo, sealedWorktree(files, s)))?.ref ?? null;
}
