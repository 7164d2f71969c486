/**
 * Reports decisions that another person, or the same person in another tab or terminal, makes on a run while its page
 * is open.
 */
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';
import { formatClock } from '../../format.ts';
import { useEvents } from '../../hooks/use-events.ts';
import { ownDecisions } from '../../hooks/use-run-request.ts';
import { useWords } from '../../preferences.ts';

export function DecidedElsewhere({ id }: { id: string }) {
  const w = useWords();
  const data = useEvents(id);
  /** The last event that was known when the page was opened, or the last one that the user has seen. */
  const [seen, setSeen] = useState<number | null>(null);
  // A decision made on this page is recorded before its request is answered.
  const isDeciding = useIsMutating() > 0;
  if (!data) return null;
  if (seen === null) setSeen(data.last);
  const decided = data.events.filter(
    ({ seq, event }) =>
      seq > (seen ?? data.last) && 'by' in event && event.by && !ownDecisions.has(`${id}#${seq}`),
  );
  return (
    <div role="status">
      {!isDeciding && decided.length > 0 && (
        <div className="note caution row">
          <ul className="stack">
            {decided.map(({ seq, event }) => (
              <li key={seq}>
                {'by' in event && event.by && `${w.decidedBy(event.by)}, ${formatClock(event.at)}: `}
                {w.event(event)}
              </li>
            ))}
          </ul>
          <button type="button" className="plain small" onClick={() => setSeen(data.last)}>
            {w.run.seen}
          </button>
        </div>
      )}
    </div>
  );
}
