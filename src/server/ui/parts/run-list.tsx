/** Runs in a list: title, state, age, cost. */
import { Link } from 'wouter';
import type { RunRow } from '../../protocol.ts';
import { ago, cost } from '../format.ts';
import { useWords } from '../look.ts';
import { Phase } from './phase.tsx';

export const pageOf = (run: RunRow): string =>
  run.wants === 'review'
    ? `/run/${run.run_id}/mrp`
    : run.wants === 'answer' && run.pending_crp
      ? `/run/${run.run_id}/crp/${run.pending_crp}`
      : `/run/${run.run_id}`;

export function RunList({ runs, now }: { runs: readonly RunRow[]; now: number }) {
  const w = useWords();
  return (
    <ul className="runs">
      {runs.map(run => (
        <li key={run.run_id}>
          <Link href={`/run/${run.run_id}`} className="runs-title">
            {run.title || run.run_id}
          </Link>
          <Phase phase={run.phase} step={run.step} />
          <span className="soft runs-when" title={run.run_id}>
            {ago(w, run.updated_at, now)}
          </span>
          <span className="soft number runs-cost">{cost(w, run.cost_usd, run.cost_complete)}</span>
        </li>
      ))}
    </ul>
  );
}
