/** A list of runs: title, state, age and cost. */
import { Link } from 'wouter';
import { money } from '../../../words/format-amounts.ts';
import type { Words } from '../../../words/pages/en.ts';
import type { RunRow } from '../../http-protocol.ts';
import { ago, formatCost } from '../format.ts';
import { useWords } from '../preferences.ts';
import { isAtWork, Phase } from './phase-label.tsx';

/** A running agent has not reported its cost yet. That alone does not make the sum incomplete. */
export const costOf = (w: Words, run: RunRow): string =>
  isAtWork(run.phase) ? money(run.cost_usd) : formatCost(w, run.cost_usd, run.cost_complete);

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
          <span className="soft number runs-cost">{costOf(w, run)}</span>
        </li>
      ))}
    </ul>
  );
}
