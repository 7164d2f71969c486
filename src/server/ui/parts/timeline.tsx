/** What was recorded of a run, the newest first. */
import { useState } from 'react';
import type { SeenEvent } from '../../protocol.ts';
import { clock, moment } from '../format.ts';
import { useWords } from '../look.ts';
import { detail, subject } from './event-line.ts';

const AT_ONCE = 25;

export function Timeline({ events }: { events: readonly SeenEvent[] }) {
  const w = useWords();
  const [count, setCount] = useState(AT_ONCE);
  const shown = events.slice(-count).reverse();
  const older = events.length - shown.length;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{w.run.timeline}</h2>
      <ol className="events" reversed>
        {shown.map(({ seq, severity, event }) => (
          <li key={seq} className={`event event-${severity}`}>
            <time className="soft" dateTime={event.at} title={moment(event.at)}>
              {clock(event.at)}
            </time>
            <p>
              <span className="event-name">{subject(w, event)}</span>{' '}
              <span className="soft event-detail">{detail(w, event)}</span>
            </p>
          </li>
        ))}
      </ol>
      {older > 0 && (
        <button type="button" className="plain small" onClick={() => setCount(count + 200)}>
          {w.run.older(older)}
        </button>
      )}
    </section>
  );
}
