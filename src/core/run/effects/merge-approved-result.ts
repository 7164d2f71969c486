/** Merges an approved result, or records why the approval was refused. */
import { DureError, dureError } from '../../../errors.ts';
import { beganAt } from '../../../formats/config/run-options.ts';
import type { RunEvent } from '../../../formats/events/events.ts';
import { PACK_LIMIT } from '../../../formats/evidence.ts';
import { diskFault, unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { runBranch } from '../../../formats/layout.ts';
import { readText } from '../../../formats/read-and-write-files.ts';
import type { PersonRequest } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { mergeSealed, whyOf } from '../../../workspace/merge/merge-sealed-result.ts';
import { readCommitConfig } from '../../../workspace/project/read-and-write-config.ts';
import { commitWithTests, testPaths } from '../../../workspace/read-and-commit-sealed-tests.ts';
import { rebaseCommand } from '../../policy/command-for-user.ts';
import { byOf } from '../../policy/transition.ts';
import { commitMessage } from '../../text/commit-message.ts';
import { briefingOf } from '../launch/read-user-briefing.ts';
import { logHead } from '../record/log-chain-head.ts';
import { approvalShell } from '../requests/store-approval-environment.ts';
import type { RunContext } from '../run-context.ts';
import { listed, repositorySettingsChanges } from './repository-settings-changes.ts';
import { restoreRunSeals } from './seal-bundles.ts';

export async function mergeApprovedResult(
  context: RunContext,
  s: RunState,
  request: PersonRequest<'approve'>,
): Promise<RunEvent> {
  const { repo, files, options } = context;
  const mrp = s.mrp!;
  if (request.tree !== mrp.tree)
    return refused(request, `the approval was for tree ${request.tree}, but the pack has ${mrp.tree}`);
  try {
    const changes = await repositorySettingsChanges(repo, context.project, files);
    if (changes && request.accepted !== changes.digest)
      throw dureError('E_REPOSITORY_CHANGED', { run: s.run_id, changes: listed(changes.names) });
    await restoreRunSeals(context, s);
    const [shell, message] = await Promise.all([approvalShell(files), messageOf(context, s)]);
    const tests = request.tests === 'land' ? await provenTests(context, s) : null;
    const commit = tests
      ? await commitWithTests(repo, { commit: mrp.commit, testsTree: tests.tree, date: request.asked_at })
      : mrp.commit;
    const merged = await mergeSealed(
      { ...repo, shell },
      {
        runId: s.run_id,
        commit,
        base: s.base,
        rebase: onto => rebaseCommand(s.run_id, beganAt(options), onto),
        branch: runBranch(s.run_id),
        worktree: files.worktree,
        date: request.asked_at,
        message,
        summary: await readText(files.summary, PACK_LIMIT).catch(unlessDiskFails(null)),
        hooks: request.hooks,
        programs: s.setup.git,
      },
      request.how,
    );
    return {
      at: new Date().toISOString(),
      type: 'run.completed',
      how: request.how,
      merged: merged.merged,
      into: merged.into,
      commit: merged.commit,
      ...(merged.url !== null && { url: merged.url }),
      ...(merged.opened !== undefined && { opened: merged.opened }),
      tree: mrp.tree,
      ...byOf(request),
      ...(tests && { tests: tests.paths.length }),
    };
  } catch (error) {
    if (!(error instanceof DureError) || diskFault(error)) throw error;
    return refused(request, whyOf(error));
  }
}

/** Returns the tests that ran on exactly this result. Throws `E_NO_TESTS_TO_LAND`. */
export async function provenTests(
  { repo }: Pick<RunContext, 'repo'>,
  { tests, mrp }: Pick<RunState, 'tests' | 'mrp'>,
) {
  const tree = tests?.tree === mrp?.tree ? tests?.tests_tree : undefined;
  const paths = tree === undefined ? [] : await testPaths(repo, tree);
  if (tree === undefined || paths.length === 0) throw dureError('E_NO_TESTS_TO_LAND');
  return { tree, paths };
}

/** Uses the current configuration, because a refusal may have pointed out a mistake in it. */
async function messageOf(context: RunContext, s: RunState): Promise<string> {
  // Uses the log line that records the pack, so a repeated approval produces the same message.
  const head = await logHead(context.files.events, 'mrp.created');
  const template = await readCommitConfig(context.project);
  return commitMessage(template, await briefingOf(context.files), s.run_id, head);
}

const refused = (request: PersonRequest<'approve'>, reason: string): RunEvent => ({
  at: new Date().toISOString(),
  type: 'approval.refused',
  reason,
  asked_at: request.asked_at,
  ...byOf(request),
});
