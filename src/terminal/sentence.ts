/** An event as one plain sentence, and as a line of `dure logs`. */
import type { EventOf, EventType, RunEvent } from '../formats/events.ts';
import { severityOf } from '../formats/events.ts';
import { paint } from './paint.ts';
import { oneLine } from './text.ts';
import { clock, duration, money } from './words.ts';

type Say = { [T in EventType]: (e: EventOf<T>) => string };

const SAY: Say = {
  'run.started': e => `${e.run_id} began from ${e.base.slice(0, 12)}`,
  'run.interrupted': e => `the run was interrupted in ${e.phase}: ${e.reason}`,
  'run.resumed': e => `the run goes on with ${e.phase}`,
  'workspace.prepared': e => `the workspace was prepared in ${duration(e.duration_ms)}`,
  'agent.started': e => `${who(e)} started (launch ${e.launch}, iteration ${e.iteration})`,
  'agent.completed': e => `${who(e)} completed in ${duration(e.duration_ms)}`,
  'agent.failed': e => `${who(e)} failed (${e.kind}): ${e.message}`,
  'agent.timeout': e => `${who(e)} is over its time after ${duration(e.after_ms)} (${e.action})`,
  'agent.extended': e => `${who(e)} may take ${duration(e.ms)} more`,
  'agent.retried': e => `${who(e)} is started again, as you asked`,
  'agent.waits': e => `${who(e)} waits until ${clock(e.until)}: ${e.message}`,
  'agent.exited': e =>
    `${who(e)} ended (${e.outcome})${e.usage?.cost_usd === undefined || e.usage.cost_usd === null ? '' : `, ${money(e.usage.cost_usd)}`}`,
  'tests.executed': e =>
    e.counts
      ? `Dure ran the tests: ${e.machine}, ${e.counts.passed} of ${e.counts.total} passed`
      : `Dure ran the tests: ${e.machine}${e.problem ? ` (${e.problem})` : ''}`,
  'verdict.given': e => `verdict ${e.verdict}${e.lowered ? ` (said ${e.claimed}; ${e.lowered})` : ''}: ${e.reason}`,
  'crp.created': e => `${e.agent} asks (${e.crp_id}): ${e.question}`,
  'vcr.created': e => `${e.crp_id} was answered: ${e.decision}${e.rationale ? ` (${e.rationale})` : ''}`,
  'iteration.started': e => `iteration ${e.iteration} begins: ${e.reason}`,
  'iteration.exhausted': e => `iteration ${e.iteration} was the last: ${e.reason}`,
  'mrp.created': e => `the merge-readiness pack is there (tree ${e.tree.slice(0, 12)})`,
  'mrp.rejected': e => `changes were asked for: ${e.summary}`,
  'approval.refused': e => `the approval was refused: ${e.reason}`,
  'run.completed': e =>
    e.merged ? `completed: merged into ${e.into ?? 'the project'}` : `completed: ${e.how} ${e.into ?? ''}`,
  'run.failed': e => `the run failed: ${e.reason}`,
  'run.stopped': e => `the run was stopped: ${e.reason}`,
};

const who = (e: { agent: string; step: string }): string =>
  ['refine', 'build', 'gate'].includes(e.step) ? e.agent : `${e.agent} (${e.step})`;

export const sentence = (event: RunEvent): string => oneLine((SAY[event.type] as (e: RunEvent) => string)(event));

const STYLE = { info: 'reset', warning: 'yellow', error: 'red', success: 'green' } as const;
const SIGN = { info: '·', warning: '!', error: '✖', success: '✔' } as const;

export function eventLine(event: RunEvent): string {
  const severity = severityOf(event.type);
  return `${paint('dim', clock(event.at))} ${paint(STYLE[severity], `${SIGN[severity]} ${sentence(event)}`)}`;
}
