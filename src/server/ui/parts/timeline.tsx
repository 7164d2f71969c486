/** The events of a run, newest first. */
import { useState } from 'react';
import type { SeenEvent } from '../../protocol.ts';
import { formatClock, formatTime } from '../format.ts';
import { useWords } from '../preferences.ts';

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
            <time className="soft" dateTime={event.at} title={formatTime(event.at)}>
              {formatClock(event.at)}
            </time>
            <p>{w.event(event)}</p>
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
