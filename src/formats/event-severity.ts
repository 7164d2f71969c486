/**
 * The severity of each event. Separate from the shapes of events, because code that lists events does not load
 * schemas.
 */
import type { EventType } from './events.ts';

export type Severity = 'info' | 'warning' | 'error' | 'success';

const SEVERITY: Partial<Record<EventType, Severity>> = {
  'run.interrupted': 'warning',
  'run.delayed': 'warning',
  'agent.failed': 'error',
  'agent.timeout': 'warning',
  'agent.waits': 'warning',
  'agent.delayed': 'warning',
  'crp.created': 'warning',
  'iteration.exhausted': 'error',
  'mrp.created': 'success',
  'approval.refused': 'warning',
  'decision.refused': 'warning',
  'key.replaced': 'warning',
  'rebase.refused': 'warning',
  'run.completed': 'success',
  'run.failed': 'error',
  'run.stopped': 'warning',
};
export const severityOf = (type: EventType): Severity => SEVERITY[type] ?? 'info';

/** Events that the user is notified of. */
export const NEEDS_ATTENTION: readonly EventType[] = [
  'crp.created',
  'mrp.created',
  'agent.timeout',
  'run.delayed',
  'approval.refused',
  'decision.refused',
  'run.completed',
  'run.failed',
];
