/**
 * All event types, with the severity and the log level of each. Separate from the shapes of events, because code that
 * lists events does not load schemas.
 */
import type { EventType } from './events.ts';

export type Severity = 'info' | 'warning' | 'error' | 'success';

const SEVERITY: Readonly<Record<EventType, Severity>> = {
  'run.started': 'info',
  'run.interrupted': 'warning',
  'run.resumed': 'info',
  'run.delayed': 'warning',
  'run.continued': 'info',
  'workspace.prepared': 'info',
  'agent.started': 'info',
  'agent.completed': 'info',
  'agent.failed': 'error',
  'agent.timeout': 'warning',
  'agent.extended': 'info',
  'agent.retried': 'info',
  'agent.waits': 'warning',
  'agent.delayed': 'warning',
  'agent.continued': 'info',
  'agent.exited': 'info',
  'tests.executed': 'info',
  'exam.executed': 'info',
  'checks.executed': 'info',
  'verdict.given': 'info',
  'crp.created': 'warning',
  'vcr.created': 'info',
  'iteration.started': 'info',
  'iteration.exhausted': 'error',
  'mrp.created': 'success',
  'mrp.rejected': 'info',
  'approval.refused': 'warning',
  'run.rebased': 'info',
  'rebase.refused': 'warning',
  'exam.extended': 'info',
  'run.completed': 'success',
  'decision.refused': 'warning',
  'key.replaced': 'warning',
  'run.failed': 'error',
  'run.stopped': 'warning',
};
export const severityOf = (type: EventType): Severity => SEVERITY[type];

/** All event types. */
export const EVENT_TYPES = Object.keys(SEVERITY) as readonly EventType[];

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
