/** Rebases the result of a run, or records why the rebase was refused. */
import { join } from 'node:path';
import { DureError, dureError } from '../../../errors.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import { runBranch, runFiles } from '../../../formats/layout.ts';
import type { PersonRequest } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { updateSubmodules } from '../../../workspace/git/list-and-check-out-submodules.ts';
import { git } from '../../../workspace/git/run-git.ts';
import { treeAt } from '../../../workspace/git/tree-of-commit.ts';
import { writeBundle } from '../../../workspace/pack/write-git-bundle.ts';
import { testConflict } from '../../../workspace/read-and-commit-sealed-tests.ts';
import { rebase } from '../../../workspace/rebase.ts';
import { findRules } from '../../../workspace/rules/find-rules.ts';
import { sealRef } from '../../../workspace/seal/seal.ts';
import { moveWorktree } from '../../../workspace/seal/stray-files.ts';
import { addWorktree, moveWorktreeBranch } from '../../../workspace/worktree.ts';
import { sealedTests } from '../../policy/state/sealed-trees.ts';
import { byOf } from '../../policy/transition.ts';
import { sealedWorktree } from '../keep-edits-of-run.ts';
import type { RunContext } from '../run-context.ts';
import { restoreRunSeals } from './seal-bundles.ts';

type Request = PersonRequest<'rebase'>;

export async function rebaseResult(context: RunContext, s: RunState, request: Request): Promise<RunEvent> {
  const answer = { at: new Date().toISOString(), asked_at: request.asked_at, ...byOf(request) };
  try {
    return { ...answer, type: 'run.rebased', ...(await rebased(context, s, request)) };
  } catch (error) {
    if (!(error instanceof DureError) || error.code === 'E_DISK') throw error;
    return { ...answer, type: 'rebase.refused', reason: whyOf(error) };
  }
}

async function rebased(context: RunContext, s: RunState, { base, onto, asked_at: date }: Request) {
  const { repo, files, config } = context;
  await restoreRunSeals(context, s);
  const of = { runId: s.run_id, result: s.mrp!, base: s.base, onto: base, date };
  const { conflicts, samePatch, ...result } = await rebase(repo, of);
  if (conflicts.length === 0 && result.tree === (await treeAt(repo, base)))
    throw dureError('E_REBASE', { why: `${onto} already has the changes of ${s.run_id}` });
  const tests = sealedTests(s);
  const [problem, rules] = await Promise.all([
    tests && conflicts.length === 0 ? testConflict(repo, result.tree, tests.tree) : null,
    findRules(repo, base, config.global),
  ]);
  const ref = sealRef(s.run_id, `rebase.${s.launch}`);
  await git(repo, ['update-ref', ref, result.commit]);
  await writeBundle(repo, ref, [base], files.sealBundle('rebase', s.launch));
  await move(context, s, { branch: conflicts.length > 0 ? base : result.commit });
  return {
    from: s.base,
    base,
    onto,
    ...result,
    same_patch: samePatch,
    conflicts,
    ...(problem !== null && { tests_problem: problem }),
    ...(rules && { rules }),
  };
}

/**
 * Writes the merged files into the worktree. Its branch stays at the new base, so git shows what the result
 * changes.
 */
export const writeConflict = (context: RunContext, s: RunState): Promise<void> =>
  move(context, s, { branch: s.base, files: s.conflict!.commit });

/** Moves the worktree and its branch. If `files` is set, the worktree gets that commit's files, not the branch's. */
async function move(
  { repo, files }: RunContext,
  s: RunState,
  to: { readonly branch: string; readonly files?: string },
): Promise<void> {
  const branch = runBranch(s.run_id);
  const now = sealedWorktree(files, s);
  await addWorktree(repo, files.worktree, branch, now.commit);
  const change = { from: await treeAt(repo, now.commit), to: await treeAt(repo, to.files ?? to.branch) };
  await moveWorktree(repo, now, change.to, join(files.stray, String(s.launch), at.worktree));
  await updateSubmodules(repo, change, files.worktree);
  await moveWorktreeBranch(repo, files.worktree, branch, to.branch);
}

const at = runFiles('.');

/** Extracts the reason for a refusal from the error message that contains it. */
const whyOf = (error: DureError): string =>
  error.code === 'E_REBASE' ? (error.context as { why: string }).why : error.message;
