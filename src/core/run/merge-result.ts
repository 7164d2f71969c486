/** Lands an approved result, or records why it was refused. */
import { DureError } from '../../errors.ts';
import type { RunEvent } from '../../formats/events.ts';
import { runBranch } from '../../formats/layout.ts';
import type { PersonRequest } from '../../formats/request.ts';
import type { RunState } from '../../formats/state.ts';
import { mergeSealed, whyOf } from '../../workspace/approve.ts';
import { readConfig } from '../../workspace/project/config.ts';
import { commitMessage } from '../policy/commit-message.ts';
import { approvalShell } from './approval-shell.ts';
import { briefingOf } from './read-briefing.ts';
import type { RunContext } from './run-context.ts';

export async function mergeResult(
  context: RunContext,
  s: RunState,
  request: PersonRequest<'approve'>,
): Promise<RunEvent> {
  const { repo, files, options } = context;
  const mrp = s.mrp!;
  if (request.tree !== mrp.tree)
    return refused(request.asked_at, `the approval was for tree ${request.tree}, the pack has ${mrp.tree}`);
  try {
    const [shell, message] = await Promise.all([approvalShell(files), messageOf(context, s)]);
    const merged = await mergeSealed(
      { ...repo, shell },
      {
        runId: s.run_id,
        commit: mrp.commit,
        base: options.base,
        branch: runBranch(s.run_id),
        worktree: files.worktree,
        date: request.asked_at,
        message,
        hooks: request.hooks,
        programs: s.setup.git ?? null,
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
      tree: mrp.tree,
    };
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    return refused(request.asked_at, whyOf(error));
  }
}

/** As it is configured now: a refusal may have named a mistake in it. */
async function messageOf(context: RunContext, s: RunState): Promise<string> {
  const { global } = await readConfig(context.project, Object.keys(context.config.plugins));
  return commitMessage(global.commit, await briefingOf(context.files), s.run_id);
}

const refused = (asked_at: string, reason: string): RunEvent => ({
  at: new Date().toISOString(),
  type: 'approval.refused',
  reason,
  asked_at,
});
