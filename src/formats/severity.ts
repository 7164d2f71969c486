/** How much an event matters, and to whom. Apart from the shapes of events: lists of them load no schemas. */
import type { EventType } from './events.ts';

export type Severity = 'info' | 'warning' | 'error' | 'success';

const SEVERITY: Partial<Record<EventType, Severity>> = {
  'run.interrupted': 'warning',
  'agent.failed': 'error',
  'agent.timeout': 'warning',
  'agent.waits': 'warning',
  'agent.delayed': 'warning',
  'crp.created': 'warning',
  'iteration.exhausted': 'error',
  'mrp.created': 'success',
  'approval.refused': 'warning',
  'run.completed': 'success',
  'run.failed': 'error',
  'run.stopped': 'warning',
};
export const severityOf = (type: EventType): Severity => SEVERITY[type] ?? 'info';

/** Events a person should hear of without asking. */
export const CALLS_A_PERSON: readonly EventType[] = [
  'crp.created',
  'mrp.created',
  'agent.timeout',
  'approval.refused',
  'run.completed',
  'run.failed',
];
