/**
 * Determines the outcome of an approval, a rebase or a request about an agent, for the command line and the server,
 * which wait for it. The caller leaves out events from before the request. Pure functions.
 */
import { relative } from 'node:path';
import { type DureError, dureError } from '../../../errors.ts';
import type { EventOf, RunEvent } from '../../../formats/events/events.ts';
import { type RunFiles, runBranch, runIdOf } from '../../../formats/layout.ts';
import type { PersonRequest, RequestName } from '../../../formats/request.ts';
import type { RunState } from '../../../formats/state.ts';

/** The event that records what was asked for, or the error that says why it was refused. */
export type RequestOutcome<E extends RunEvent> =
  | { readonly done: E; readonly refused?: never }
  | { readonly refused: DureError; readonly done?: never };

/**
 * Null if the event does not settle the approval. A later approval replaces an earlier one, so the outcome of the
 * later one applies to both. Another pack, or feedback about this one, means that what the user saw is not merged.
 * `phase` is the one after the event.
 */
export function approvalOutcome(
  files: RunFiles,
  request: PersonRequest<'approve'>,
  event: RunEvent,
  phase: RunState['phase'],
): RequestOutcome<EventOf<'run.completed'>> | null {
  const run = runIdOf(files);
  const notMerged = (why: string) => ({ refused: dureError('E_MERGE', { why, branch: runBranch(run) }) });
  switch (event.type) {
    case 'run.completed':
      return { done: event };
    case 'approval.refused':
      return event.asked_at >= request.asked_at ? notMerged(event.reason) : null;
    case 'decision.refused':
      return isAbout(files, 'approve', event) ? notMerged(event.problem) : null;
    case 'mrp.created':
      return { refused: dureError('E_PACK_REMADE', { run, files: event.remade?.join(', ') ?? '' }) };
    case 'mrp.rejected':
      return { refused: dureError('E_NOT_READY', { run, phase }) };
    default:
      return null;
  }
}

/**
 * Null if the event does not settle the rebase. Feedback does not: the request is kept, and applies to the next pack.
 */
export function rebaseOutcome(
  files: RunFiles,
  request: PersonRequest<'rebase'>,
  event: RunEvent,
): RequestOutcome<EventOf<'run.rebased'>> | null {
  const notRebased = (why: string) => ({ refused: dureError('E_REBASE', { why }) });
  switch (event.type) {
    case 'run.rebased':
      return event.asked_at === request.asked_at ? { done: event } : null;
    case 'rebase.refused':
      return event.asked_at === request.asked_at ? notRebased(event.reason) : null;
    case 'decision.refused':
      return isAbout(files, 'rebase', event) ? notRebased(event.problem) : null;
    default:
      return null;
  }
}

/**
 * Null if the request is still open. A later request of this kind replaces an earlier one, so its outcome applies to
 * both. If the agent ends first, the request does not apply to the next one.
 */
export function agentRequestOutcome<N extends 'retry' | 'extend'>(
  name: N,
  { asked_at, launch }: PersonRequest<N>,
  state: RunState,
): 'done' | DureError | null {
  const done = state.requests_done[name];
  if (done !== undefined && done >= asked_at) return 'done';
  return state.launch === launch ? null : dureError('E_AGENT_ENDED', { run: state.run_id });
}

const isAbout = (files: RunFiles, name: RequestName, { file }: EventOf<'decision.refused'>): boolean =>
  file === relative(files.dir, files.request(name));
