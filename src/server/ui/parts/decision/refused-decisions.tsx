/** Lists the decisions refused for lack of a valid proof since the last question or pack was created. */
import { formatTime } from '../../format.ts';
import { useEvents } from '../../hooks/use-events.ts';
import { useWords } from '../../preferences.ts';
import { InlineCode } from '../inline-code.tsx';

const OPENS = ['crp.created', 'mrp.created'];

export function RefusedDecisions({ id }: { id: string }) {
  const w = useWords();
  const data = useEvents(id);
  const events = data?.events ?? [];
  const refused = events
    .slice(events.findLastIndex(({ event }) => OPENS.includes(event.type)) + 1)
    .filter(({ event }) => event.type === 'decision.refused');
  return (
    <div role="status">
      {refused.length > 0 && (
        <ul className="note caution stack">
          {refused.map(({ seq, event }) => (
            <li key={seq}>
              {formatTime(event.at)}: <InlineCode text={w.event(event)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
