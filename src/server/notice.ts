/** What a person should hear of without asking, as one line and the page that answers it. Pure. */
import { CALLS_A_PERSON, type RunEvent, severityOf } from '../formats/events.ts';
import type { BrowserNotice } from './protocol.ts';

/** Null for events that call nobody. */
export function noticeOf(runId: string, seq: number, event: RunEvent): BrowserNotice | null {
  if (!CALLS_A_PERSON.includes(event.type)) return null;
  const { type, at } = event;
  const page =
    event.type === 'crp.created' ? `/crp/${event.crp_id}` : event.type === 'mrp.created' ? '/mrp' : '';
  return {
    id: `${runId}#${seq}`,
    run_id: runId,
    at,
    type,
    severity: severityOf(type),
    text: textOf(event),
    page: `/run/${runId}${page}`,
  };
}

function textOf(event: RunEvent): string {
  switch (event.type) {
    case 'crp.created':
      return `The ${event.agent} asks: ${event.question}`;
    case 'mrp.created':
      return 'A merge-readiness pack waits for your review.';
    case 'agent.timeout':
      return `The ${event.agent} takes longer than it may.`;
    case 'approval.refused':
      return `The result was not merged: ${event.reason}`;
    case 'run.completed':
      return event.merged
        ? `The run is merged${event.into ? ` into ${event.into}` : ''}.`
        : 'The run is completed.';
    case 'run.failed':
      return `The run failed: ${event.reason}`;
    default:
      return event.type;
  }
}
