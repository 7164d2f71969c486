/** What a recorded event says beyond its name: one line, in the person's words where there are some. */
import type { RunEvent } from '../../../formats/events.ts';
import type { Words } from '../../../words/en.ts';
import { clock, duration, short, usd } from '../format.ts';
import { span } from '../span.ts';

export function subject(w: Words, e: RunEvent): string {
  const by = 'agent' in e && e.type.startsWith('agent.') ? `${w.role(e.agent)} ` : '';
  return `${by}${w.event(e.type)}`;
}

/** The whole of it. */
export const line = (w: Words, e: RunEvent): string =>
  [subject(w, e), detail(w, e)].filter(Boolean).join(': ');

export function detail(w: Words, e: RunEvent): string {
  switch (e.type) {
    case 'run.started':
      return `${w.run.base} ${short(e.base)}`;
    case 'run.interrupted':
    case 'run.failed':
    case 'run.stopped':
    case 'approval.refused':
    case 'iteration.exhausted':
      return e.reason;
    case 'run.resumed':
      return w.phase(e.phase);
    case 'workspace.prepared':
      return duration(w, e.duration_ms);
    case 'agent.started':
      return [w.step(e.step), w.run.launch(e.launch)].filter(Boolean).join(', ');
    case 'agent.completed':
      return duration(w, e.duration_ms);
    case 'agent.failed':
      return `${w.failure(e.kind)}: ${e.message}`;
    case 'agent.timeout':
      return duration(w, e.after_ms);
    case 'agent.extended':
      return `+ ${span(w, e.ms)}`;
    case 'agent.retried':
      return w.run.launch(e.launch);
    case 'agent.waits':
      return `${w.run.until(clock(e.until))} ${e.message}`;
    case 'agent.delayed':
      return e.reason;
    case 'agent.exited':
      return [w.outcome(e.outcome), e.usage?.cost_usd ? usd(e.usage.cost_usd) : '', e.message]
        .filter(Boolean)
        .join(', ');
    case 'tests.executed':
      return [w.machine(e.machine), e.counts ? `${e.counts.passed}/${e.counts.total}` : '', e.problem]
        .filter(Boolean)
        .join(', ');
    case 'checks.executed':
      return e.checks.map(({ name, status }) => `${name}: ${w.check(status)}`).join(', ');
    case 'verdict.given':
      return `${w.verdict(e.verdict)}${e.lowered ? ` (${w.verdict(e.claimed)} → ${e.lowered})` : ''}: ${e.reason}`;
    case 'crp.created':
      return e.question;
    case 'vcr.created':
      return [e.decision, e.rationale].filter(Boolean).join(': ');
    case 'iteration.started':
      return `${e.iteration}: ${e.reason}`;
    case 'mrp.created':
      return `${w.review.tree} ${short(e.tree)}`;
    case 'mrp.rejected':
      return e.summary;
    case 'run.completed':
      return e.into ? w.run.merged(e.into) : w.run.onBranch;
  }
}
