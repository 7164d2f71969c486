/** The last decision on the run, and who made it. */
import { formatTime } from '../../format.ts';
import { useEvents } from '../../hooks/use-events.ts';
import { useWords } from '../../preferences.ts';

const DECISIONS = ['mrp.rejected', 'run.rebased', 'run.completed', 'run.stopped', 'run.failed'];

export function LastDecision({ id, className }: { id: string; className?: string }) {
  const w = useWords();
  const data = useEvents(id);
  const last = data?.events.findLast(({ event }) => DECISIONS.includes(event.type))?.event;
  if (!last) return null;
  return (
    <p className={className}>
      {formatTime(last.at)}: {w.event(last)}
      {'by' in last && last.by && ` · ${w.decidedBy(last.by)}`}
    </p>
  );
}
