/**
 * The severity and the log level of each event. Separate from the shapes of events, because code that lists events does not load
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

/** The values of `log_level`, lowest first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A `success` means that the run is over or waits for a person, so `warn` includes it. */
const LEVEL: Record<Severity, LogLevel> = { info: 'info', success: 'warn', warning: 'warn', error: 'error' };

export const meetsLogLevel = (type: EventType, lowest: LogLevel): boolean =>
  LOG_LEVELS.indexOf(LEVEL[severityOf(type)]) >= LOG_LEVELS.indexOf(lowest);

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
