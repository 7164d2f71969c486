/**
 * Determines the outcome of a person's decision, for the command line and the server, which wait for it. The caller
 * leaves out events from before the decision. Pure functions.
 */
import { relative } from 'node:path';
import { type DureError, dureError } from '../../../errors.ts';
import type { EventOf, EventType, RunEvent } from '../../../formats/events/events.ts';
import { type RunFiles, runBranch, runIdOf } from '../../../formats/layout.ts';
import {
  type DecisionKind,
  PACK_REQUESTS,
  type RequestName,
} from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { decisionRecordedBy } from '../../policy/decisions-recorded-by-events.ts';
import { isOver } from '../../policy/state/phase.ts';

/** A decision whose file has been written. `feedback` is its number, `launch` that of the agent it is about. */
export type SentDecision =
  | { readonly kind: 'answer'; readonly vcr_id: string; readonly crp_id: string }
  | { readonly kind: 'feedback'; readonly feedback: number }
  | { readonly kind: 'retry' | 'extend'; readonly asked_at: string; readonly launch: number }
  | { readonly kind: Exclude<RequestName, 'retry' | 'extend'>; readonly asked_at: string };

/** The type of the event that records that a decision has been carried out. */
interface DoneBy extends Record<DecisionKind, EventType> {
  answer: 'vcr.created';
  feedback: 'mrp.rejected';
  stop: 'run.stopped';
  approve: 'run.completed';
  rebase: 'run.rebased';
  exam: 'exam.extended';
  retry: 'agent.retried';
  extend: 'agent.extended';
}

/** The event that records what was decided, or the error that says why it has no effect. */
export type DecisionOutcome<K extends DecisionKind = DecisionKind> =
  | { readonly done: EventOf<DoneBy[K]>; readonly refused?: never }
  | { readonly refused: DureError; readonly done?: never };

/**
 * Null while the outcome is open: `events` do not settle it, but according to `state`, the state after them, later
 * events still can. A later request replaces an earlier one of the same kind, so the outcome of the later one applies
 * to both.
 */
export function decisionOutcome<S extends SentDecision>(
  files: RunFiles,
  sent: S,
  events: readonly RunEvent[],
  state: Pick<RunState, 'phase' | 'launch'>,
): DecisionOutcome<S['kind']> | null {
  for (const event of events) {
    const outcome = outcomeIn(files, sent, event);
    if (outcome) return outcome as DecisionOutcome<S['kind']>;
  }
  const refused = tooLate(runIdOf(files), sent, state);
  return refused && { refused };
}

function outcomeIn(files: RunFiles, sent: SentDecision, event: RunEvent): DecisionOutcome | null {
  const { kind } = sent;
  const run = runIdOf(files);
  if (event.type === 'mrp.created' && isAboutPack(kind))
    return { refused: dureError('E_PACK_REMADE', { run, files: event.remade?.join(', ') ?? '' }) };
  if (event.type === 'decision.refused') {
    const { file, problem } = event;
    const isSent = file === relative(files.dir, fileOf(files, sent));
    return isSent ? { refused: dureError('E_DECISION_IGNORED', { file, problem }) } : null;
  }
  if (decisionRecordedBy(event.type) !== kind) return null;
  if ('asked_at' in sent && 'asked_at' in event && event.asked_at < sent.asked_at) return null;
  if (event.type === 'approval.refused')
    return { refused: dureError('E_MERGE', { why: event.reason, branch: runBranch(run) }) };
  if (event.type === 'rebase.refused') return { refused: dureError('E_REBASE', { why: event.reason }) };
  if (kind === 'answer' && event.type === 'vcr.created' && event.vcr_id !== sent.vcr_id)
    return event.crp_id === sent.crp_id
      ? { refused: dureError('E_ANSWERED', { crp: sent.crp_id, decision: event.decision }) }
      : null;
  return { done: event as EventOf<DoneBy[DecisionKind]> };
}

const isAboutPack = (kind: DecisionKind): boolean => PACK_REQUESTS.some(name => name === kind);

function fileOf(files: RunFiles, sent: SentDecision): string {
  if (sent.kind === 'answer') return files.vcr(sent.vcr_id);
  return sent.kind === 'feedback' ? files.feedbackOf(sent.feedback) : files.request(sent.kind);
}

/**
 * Returns the error for a request that can no longer be carried out; null if it still can, or if the run is over, which
 * callers report. A request about the pack is too late once feedback, another pack or anything else has ended the wait
 * for approval. A request about an agent does not apply to the next agent.
 */
function tooLate(
  run: string,
  sent: SentDecision,
  { phase, launch }: Pick<RunState, 'phase' | 'launch'>,
): DureError | null {
  if (isAboutPack(sent.kind))
    return phase === 'ready_for_merge' || phase === 'interrupted' || isOver({ phase })
      ? null
      : dureError('E_NOT_READY', { run, phase });
  return 'launch' in sent && sent.launch !== launch ? dureError('E_AGENT_ENDED', { run }) : null;
}
