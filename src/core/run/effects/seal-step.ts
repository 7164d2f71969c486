/** Seals a step's output. Rejects invalid output and changes that the step may not make. */
import { join } from 'node:path';
import { DureError } from '../../../errors.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import type { RunState } from '../../../formats/state.ts';
import { type Repository, revParse } from '../../../workspace/git/run-git.ts';
import { treeAt } from '../../../workspace/git/tree-of-commit.ts';
import { testConflict } from '../../../workspace/read-and-commit-sealed-tests.ts';
import { conflictMarkers } from '../../../workspace/rebase.ts';
import { sealFolder, sealRef, sealWorktree } from '../../../workspace/seal/seal.ts';
import { canBeStored, EVERYTHING, selectProjectFiles } from '../../../workspace/seal/stage-files.ts';
import { NOTHING_CHANGED } from '../../policy/normalize-failure.ts';
import { currentStep, firstTreeStep } from '../../policy/pipeline/look-up-steps.ts';
import { sealedResult } from '../../policy/state/sealed-trees.ts';
import { ofLaunch } from '../../policy/transition.ts';
import { failedLaunch } from '../launch/agent-failed-event.ts';
import type { RunContext } from '../run-context.ts';
import { writeViolations } from './detect-and-revert-stray-files.ts';
import { unclaimed } from './find-unclaimed-criteria.ts';
import { keepSeal, restoreRunSeals } from './seal-bundles.ts';
import { criteriaOfSeal } from './sealed-criteria.ts';

const now = () => new Date().toISOString();
export async function sealStep(context: RunContext, s: RunState): Promise<RunEvent> {
  const { repo, files } = context;
  await restoreRunSeals(context, s);
  const step = currentStep(s);
  const as = {
    ref: sealRef(s.run_id, `${step.name}.${s.launch}`),
    message: `Dure: ${step.name} of ${s.run_id}, iteration ${s.iteration}`,
    date: s.updated_at,
  };
  const result = sealedResult(s);
  const parent = result?.commit ?? s.base;
  const isTree = step.yields === 'tree';
  const dir = isTree ? files.worktree : join(files.dir, step.folder);
  const sealing = isTree
    ? sealWorktree(
        repo,
        { runId: s.run_id, dir, baseCommit: s.base },
        { ...as, message: `Dure: ${s.run_id}, iteration ${s.iteration}`, parent },
      )
    : sealFolder(repo, dir, as);
  const canBeStoredElsewhere = () =>
    isTree
      ? canBeStored(repo, dir, s.base, selectProjectFiles(repo))
      : canBeStored(repo, dir, null, EVERYTHING);
  // Sealed paths and forbidden paths do not overlap, so both checks can run in parallel.
  const [stray, sealed, before] = await Promise.all([
    writeViolations(context, s),
    sealing.catch(error => unsealable(repo, parent, canBeStoredElsewhere, error)),
    treeAt(repo, parent),
  ]);
  if (stray) return failedLaunch(s, 'validation', stray);
  if (typeof sealed === 'string') return failedLaunch(s, 'validation', sealed);
  if (step.name === firstTreeStep(s.setup).name && sealed.tree === before)
    return failedLaunch(s, 'validation', NOTHING_CHANGED);
  const conflict =
    result && step.yields === 'tests' ? await testConflict(repo, result.tree, sealed.tree) : null;
  if (conflict !== null) return failedLaunch(s, 'validation', conflict);
  const criteria = await criteriaOfSeal(repo, step, sealed);
  if (typeof criteria === 'string') return failedLaunch(s, 'validation', criteria);
  const claimsProblem = step.yields === 'tests' ? await unclaimed(repo, s, sealed) : null;
  if (claimsProblem !== null) return failedLaunch(s, 'validation', claimsProblem);
  const unresolved =
    s.conflict && step.yields === 'tree' ? await conflictMarkers(repo, s.base, sealed.tree) : [];
  if (unresolved.length > 0)
    return failedLaunch(s, 'validation', `conflict markers are left in ${unresolved.join(', ')}`);
  await keepSeal(context, s, sealed);
  const at = now();
  const duration_ms = Date.parse(at) - Date.parse(s.since ?? at);
  return {
    at,
    type: 'agent.completed',
    ...ofLaunch(s),
    duration_ms,
    ...sealed,
    ...(criteria && { criteria }),
  };
}

/**
 * Returns what git cannot store, such as an unreadable file, for the agent to fix. Throws the error if the repository is
 * to blame, for example because its configuration cannot be parsed or its objects cannot be written.
 */
async function unsealable(
  repo: Repository,
  parent: string,
  canBeStoredElsewhere: () => Promise<boolean>,
  error: unknown,
): Promise<string> {
  if (!(error instanceof DureError) || error.code !== 'E_GIT') throw error;
  if ((await revParse(repo, `${parent}^{commit}`)) === null || (await canBeStoredElsewhere())) throw error;
  return `your output cannot be sealed: ${error.message}`;
}
