/** Converts an event to a notification and the page that it opens. This module is pure. */
import { CALLS_A_PERSON, severityOf } from '../formats/event-severity.ts';
import type { RunEvent } from '../formats/events.ts';
import type { BrowserNotice } from './socket-protocol.ts';

/** Null for events that need no notification. */
export function noticeOf(runId: string, seq: number, event: RunEvent): BrowserNotice | null {
  if (!CALLS_A_PERSON.includes(event.type)) return null;
  const page =
    event.type === 'crp.created' ? `/crp/${event.crp_id}` : event.type === 'mrp.created' ? '/mrp' : '';
  return {
    id: `${runId}#${seq}`,
    run_id: runId,
    severity: severityOf(event.type),
    event,
    page: `/run/${runId}${page}`,
  };
}
