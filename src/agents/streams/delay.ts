/**
 * What keeps an agent waiting for its API, as a fold over the lines of its stream. Pure. The words hold for all tries
 * of one trouble, so that it is told once and not ten times.
 */
import { amount, type Loose, part, text } from './loose.ts';

/** A single try that comes again at once is no delay: most who are refused once get through. */
const SHORT_MS = 3000;

/** Why requests are held up after this event; null when they are not. */
export function delayAfter(before: string | null, event: Loose): string | null {
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'api_retry' ? refused(before, event) : before;
    case 'rate_limit_event':
      return part(event['rate_limit_info'])['status'] === 'rejected' ? 'a usage limit was reached' : before;
    case 'stream_event':
    case 'user':
    case 'result':
      return null;
    case 'assistant':
      return text(event['error']) === null ? null : before;
    default:
      return before;
  }
}

function refused(before: string | null, event: Loose): string | null {
  const isShort = (amount(event['retry_delay_ms']) ?? 0) <= SHORT_MS && (amount(event['attempt']) ?? 1) < 2;
  if (isShort) return before;
  const status = amount(event['error_status']);
  const word = text(event['error']);
  const what =
    status === null
      ? 'no answer from the API'
      : `the API answers ${status}${word && word !== 'unknown' ? ` (${word})` : ''}`;
  const tries = amount(event['max_retries']);
  return `${what}; it is asked again${tries === null ? '' : `, ${tries} times at most`}`;
}
