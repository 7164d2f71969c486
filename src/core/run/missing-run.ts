/**
 * Says what is left of a run that `findRun` in `run-store.ts` does not find. A module of its own, because it needs git,
 * which most commands do not load.
 */
import { type DureError, dureError } from '../../errors.ts';
import { runBranch, runBranchRef } from '../../formats/layout.ts';
import { refsIn } from '../../workspace/git/refs-in.ts';
import { type Repository, revParse } from '../../workspace/git/run-git.ts';
import { packRef } from '../../workspace/pack/commit-pack.ts';
import { keptRefs } from '../../workspace/seal/keep-unsealed-edits.ts';
import { sealRef } from '../../workspace/seal/seal.ts';

/** Returns `E_RUN_FILES_GONE` for a run that has refs or a branch, but no readable folder; else `E_RUN_NOT_FOUND`. */
export async function missingRun(repo: Repository, run: string): Promise<DureError> {
  const branch = (await revParse(repo, runBranchRef(run))) ? runBranch(run) : null;
  return branch !== null || (await refsIn(repo, [sealRef(run, ''), packRef(run), keptRefs(run)])).length > 0
    ? dureError('E_RUN_FILES_GONE', { run, branch })
    : dureError('E_RUN_NOT_FOUND', { run });
}
