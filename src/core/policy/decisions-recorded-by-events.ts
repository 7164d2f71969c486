/** Determines which kind of decision by a person each event records. Pure. */
import type { EventOf, EventType, RunEvent } from '../../formats/events/events.ts';
import type { DecisionKind } from '../../formats/requests-and-feedback.ts';

/** Event types that say who decided. */
type DecidedType = { [T in EventType]: 'by' extends keyof EventOf<T> ? T : never }[EventType];

const DECISION_OF = {
  'agent.extended': 'extend',
  'agent.retried': 'retry',
  'vcr.created': 'answer',
  'mrp.rejected': 'feedback',
  'approval.refused': 'approve',
  'run.rebased': 'rebase',
  'rebase.refused': 'rebase',
  'exam.extended': 'exam',
  'run.completed': 'approve',
  'run.stopped': 'stop',
  // `dure recover` replaces the key itself, without a request file.
  'key.replaced': null,
} as const satisfies Record<DecidedType, DecisionKind | null>;

/** Returns the kind of decision that an event of this type records; null if it records none. */
export const decisionRecordedBy = (type: EventType): DecisionKind | null =>
  type in DECISION_OF ? DECISION_OF[type as DecidedType] : null;

/** Adds the request that `event` completes, if any. An event identifies a request by the time at which it was made. */
export const requestsDone = (
  before: Readonly<Record<string, string>>,
  event: RunEvent,
): Readonly<Record<string, string>> =>
  'asked_at' in event ? { ...before, [DECISION_OF[event.type]]: event.asked_at } : before;
