/** The most important notice about a run, with a link to the action that it needs. */
import { Link } from 'wouter';
import { isOver } from '../../../core/policy/state/phase.ts';
import type { RunView, SeenEvent } from '../../http-protocol.ts';
import { useWords } from '../preferences.ts';
import { ENDS } from '../timeline-rows.ts';
import { QuickAnswer } from './decision/quick-answer.tsx';
import { isAtWork } from './phase-label.tsx';

/** The newest of these events says why a run is delayed, or why there are no more retries. */
const DELAYS = ['run.delayed', 'run.interrupted'];

export function RunBanner({ run, events }: { run: RunView; events: readonly SeenEvent[] }) {
  const w = useWords();
  const end = isOver(run) && events.findLast(({ event }) => ENDS.includes(event.type));
  const delay = events.findLast(({ event }) => DELAYS.includes(event.type));
  return (
    <div className="words">
      {run.wants === 'answer' && run.pending_crp && (
        <section className="note caution" aria-label={w.run.asks}>
          <QuickAnswer id={run.run_id} crp={run.pending_crp} />
        </section>
      )}
      {run.wants === 'review' && (
        <p className="note row">
          {w.run.ready}
          <Link className="button main small" href={`/run/${run.run_id}/mrp`}>
            {w.overview.review}
          </Link>
        </p>
      )}
      {run.phase === 'interrupted' && (
        <p className="note caution">
          {w.run.interrupted} <code>dure recover {run.run_id}</code>
        </p>
      )}
      {end && (
        <p className={`note row ${run.phase === 'completed' ? '' : 'caution'}`}>
          {w.event(end.event)}
          {run.phase === 'completed' && (
            <Link className="button small" href={`/run/${run.run_id}/mrp`}>
              {w.review.title}
            </Link>
          )}
        </p>
      )}
      {run.reason && !isOver(run) && (
        <p className="note caution">
          {run.phase === 'ready_for_merge'
            ? `${w.run.refused} ${w.notMerged(run.reason)}`
            : w.lowered(run.reason)}
        </p>
      )}
      {run.blocked && !isOver(run) && delay && <p className="note caution">{w.event(delay.event)}</p>}
      {run.problem && isAtWork(run.phase) && <p className="note caution">{run.problem}</p>}
      {run.delayed && isAtWork(run.phase) && (
        <p className="note caution">
          {w.run.delayed} {run.delayed}
        </p>
      )}
      {run.rehearsal && <p className="note">{w.run.rehearsal}</p>}
      {run.attach && isAtWork(run.phase) && (
        <p className="soft">
          {w.run.attach} <code className="whole">{run.attach}</code>
        </p>
      )}
    </div>
  );
}
