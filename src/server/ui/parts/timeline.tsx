/** The events of a run by iteration, newest first. A launch is one line. */
import { useMemo, useState } from 'react';
import { money } from '../../../words/format-amounts.ts';
import { formatClock, formatDuration, formatTime } from '../format.ts';
import { useWords } from '../preferences.ts';
import type { LaunchRow, TimelineGroup, TimelineRow } from '../timeline-rows.ts';

const AT_ONCE = 25;

/** `own` contains the steps that Dure runs itself. */
export function Timeline({
  groups: oldestFirst,
  own,
}: {
  groups: readonly TimelineGroup[];
  own: readonly string[];
}) {
  const w = useWords();
  const [count, setCount] = useState(AT_ONCE);
  const groups = useMemo(() => oldestFirst.toReversed(), [oldestFirst]);
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  let left = count;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{w.run.timeline}</h2>
      {groups.map(({ iteration, rows }) => {
        const shown = rows.slice(-left).reverse();
        if (left <= 0) return null;
        left -= shown.length;
        return (
          <div key={iteration}>
            {groups.length > 1 && <h3 className="soft">{w.run.iteration(iteration)}</h3>}
            <ol className="events" reversed>
              {shown.map(row => (
                <Row key={'launch' in row ? row.launch.seq : row.event.seq} row={row} own={own} />
              ))}
            </ol>
          </div>
        );
      })}
      {total > count && (
        <button type="button" className="plain small" onClick={() => setCount(count + 200)}>
          {w.run.older(total - count)}
        </button>
      )}
    </section>
  );
}

function Row({ row, own }: { row: TimelineRow; own: readonly string[] }) {
  const w = useWords();
  if ('launch' in row)
    return (
      <li className={`event event-launch-${row.launch.status}`}>
        <Clock at={row.launch.startedAt} />
        <Launch launch={row.launch} isOwn={own.includes(row.launch.step)} />
      </li>
    );
  const { severity, event } = row.event;
  const isLowered = event.type === 'verdict.given' && event.lowered !== null;
  return (
    <li className={`event event-${severity}`}>
      <Clock at={event.at} />
      <p className={isLowered ? 'note caution' : undefined}>
        {w.event(event)}
        {'by' in event && event.by && <span className="soft"> · {w.decidedBy(event.by)}</span>}
      </p>
    </li>
  );
}

function Launch({
  launch: { role, step, status, took, cost },
  isOwn,
}: {
  launch: LaunchRow;
  isOwn: boolean;
}) {
  const w = useWords();
  const what = w.step(step);
  return (
    <p className="about">
      <span>
        {w.role(isOwn ? 'dure' : role)}
        {what && `: ${what}`}
      </span>
      <span className={status === 'failed' || status === 'timeout' ? 'bad' : 'soft'}>{w.status(status)}</span>
      {took !== null && <span className="soft">{formatDuration(w, took)}</span>}
      {cost !== null && cost > 0 && <span className="soft">{money(cost)}</span>}
    </p>
  );
}

const Clock = ({ at }: { at: string }) => (
  <time className="soft" dateTime={at} title={formatTime(at)}>
    {formatClock(at)}
  </time>
);
