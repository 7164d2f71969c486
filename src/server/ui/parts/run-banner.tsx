/** The most important notice about a run, with a link to the action that it needs. */
import { Link } from 'wouter';
import type { RunView } from '../../protocol.ts';
import { useWords } from '../preferences.ts';
import { isAtWork } from './phase-label.tsx';

export function RunBanner({ run }: { run: RunView }) {
  const w = useWords();
  return (
    <div className="words">
      {run.wants === 'answer' && run.pending_crp && (
        <p className="note caution row">
          {w.run.asks}
          <Link className="button main small" href={`/run/${run.run_id}/crp/${run.pending_crp}`}>
            {w.overview.answer}
          </Link>
        </p>
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
          {w.run.interrupted} <code>{w.run.recoverHint(run.run_id)}</code>
        </p>
      )}
      {run.phase === 'completed' && (
        <p className="note row">
          <span>
            {w.phase('completed')}: <code>{run.branch}</code>
          </span>
          <Link className="button small" href={`/run/${run.run_id}/mrp`}>
            {w.review.title}
          </Link>
        </p>
      )}
      {run.reason && run.phase !== 'completed' && (
        <p className="note caution">
          {run.phase === 'ready_for_merge' && `${w.run.refused} `}
          {run.reason}
        </p>
      )}
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
