/**
 * Determines the outcome of a request about a pack or an agent, for the command line and the server, which wait for it.
 * The caller leaves out events from before the request. Pure functions.
 */
import { relative } from 'node:path';
import { type DureError, dureError } from '../../../errors.ts';
import type { EventOf, EventType, RunEvent } from '../../../formats/events/events.ts';
import { type RunFiles, runBranch, runIdOf } from '../../../formats/layout.ts';
import type { PackRequest, PersonRequest } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { decisionRecordedBy } from '../../policy/decisions-recorded-by-events.ts';
import { isOver } from '../../policy/state/phase.ts';

/** The event that records that a request about a pack is done. */
const DONE = {
  approve: 'run.completed',
  rebase: 'run.rebased',
  exam: 'exam.extended',
} as const satisfies Record<PackRequest, EventType>;
/** The event that records what was asked for, or the error that says why it was refused. */
export type PackOutcome<N extends PackRequest> =
  | { readonly done: EventOf<(typeof DONE)[N]>; readonly refused?: never }
  | { readonly refused: DureError; readonly done?: never };

/**
 * Null if a request about a pack is still open: the events do not settle it, but in `phase`, the phase after them,
 * later events still can. A later request replaces an earlier one of the same kind, so the outcome of the later one
 * applies to both. Feedback, another pack, or anything else that ends the wait means that the request is not
 * carried out.
 */
export function packRequestOutcome<N extends PackRequest>(
  files: RunFiles,
  name: N,
  request: PersonRequest<N>,
  events: readonly RunEvent[],
  phase: RunState['phase'],
): PackOutcome<N> | null {
  const run = runIdOf(files);
  for (const event of events) {
    const outcome = settledBy(event);
    if (outcome) return outcome;
  }
  return phase === 'ready_for_merge' || phase === 'interrupted' || isOver({ phase })
    ? null
    : { refused: dureError('E_NOT_READY', { run, phase }) };

  function settledBy(event: RunEvent): PackOutcome<N> | null {
    if (event.type === 'mrp.created')
      return { refused: dureError('E_PACK_REMADE', { run, files: event.remade?.join(', ') ?? '' }) };
    if (event.type === 'decision.refused')
      return event.file === relative(files.dir, files.request(name)) ? refusal(event.problem) : null;
    if (decisionRecordedBy(event.type) !== name) return null;
    if ('asked_at' in event && event.asked_at < request.asked_at) return null;
    return event.type === DONE[name]
      ? { done: event as EventOf<(typeof DONE)[N]> }
      : refusal((event as EventOf<'approval.refused' | 'rebase.refused'>).reason);
  }

  /** Null for an exam: Dure refuses an exam only when it is requested, never afterwards. */
  function refusal(why: string): PackOutcome<N> | null {
    if (name === 'approve') return { refused: dureError('E_MERGE', { why, branch: runBranch(run) }) };
    return name === 'rebase' ? { refused: dureError('E_REBASE', { why }) } : null;
  }
}

/**
 * Null if the request is still open. A later request of this kind replaces an earlier one, so its outcome applies to
 * both. If the agent ends first, the request does not apply to the next agent.
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
