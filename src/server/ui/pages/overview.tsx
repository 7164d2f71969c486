/** `/`: waiting runs first, then active runs, then recent runs. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunRow, OverviewView as View } from '../../http-protocol.ts';
import { ago, formatCost, formatDuration } from '../format.ts';
import { useNow } from '../hooks/use-now.ts';
import { listKeys, useKeys } from '../keyboard-shortcuts.ts';
import { runPageOf } from '../page-of-run.ts';
import { CostByDay, CostByRole } from '../parts/cost-chart.tsx';
import { QuickAnswer } from '../parts/decision/quick-answer.tsx';
import { Phase } from '../parts/phase-label.tsx';
import { EmptyState } from '../parts/placeholders.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { costOf, RunList } from '../parts/run-list.tsx';
import { WaitingProjects } from '../parts/waiting-projects.tsx';
import { useWords } from '../preferences.ts';
import { overviewQuery } from '../queries.ts';
import { useTitle } from '../tab-title.ts';

export function Overview() {
  const w = useWords();
  useTitle('');
  const overview = useQuery(overviewQuery);
  return (
    <>
      <div className="head">
        <div>
          <h1>{overview.data?.project.name ?? w.places.overview}</h1>
          <p className="about">
            <span className="mono">{overview.data?.project.root ?? '\u00a0'}</span>
          </p>
        </div>
        <Link href="/run/new" className="button main">
          {w.places.create}
        </Link>
      </div>
      <QueryResult of={overview}>{view => (view.runs === 0 ? <First /> : <Shown view={view} />)}</QueryResult>
    </>
  );
}

function First() {
  const w = useWords();
  return (
    <EmptyState title={w.overview.firstTitle}>
      <p>{w.overview.first}</p>
      <Link href="/run/new" className="button">
        {w.places.create}
      </Link>
    </EmptyState>
  );
}

const KEYS = listKeys('main .card-title, main .runs-title');

function Shown({ view }: { view: View }) {
  useKeys(KEYS);
  const w = useWords();
  const now = useNow(1000);
  const [oldest] = view.waiting;
  return (
    <div className="two">
      <div>
        <section aria-labelledby="waiting">
          <h2 id="waiting">
            {w.overview.waiting}
            {oldest && view.waiting.length > 1 && (
              <span className="soft">
                {' '}
                {w.overview.oldest(view.waiting.length, ago(w, oldest.updated_at, now))}
              </span>
            )}
          </h2>
          {view.waiting.length === 0 ? (
            <p className="soft">{w.overview.nothingWaits}</p>
          ) : (
            <ul className="cards">
              {view.waiting.map(run => (
                <RunCard key={run.run_id} run={run}>
                  <Phase phase={run.phase} />
                  <span>{ago(w, run.updated_at, now)}</span>
                </RunCard>
              ))}
            </ul>
          )}
        </section>
        <WaitingProjects now={now} />
        <section className="section" aria-labelledby="active">
          <h2 id="active">{w.overview.active}</h2>
          {view.active.length === 0 ? (
            <p className="soft">{w.overview.nothingActive}</p>
          ) : (
            <ul className="cards">
              {view.active.map(run => (
                <RunCard key={run.run_id} run={run}>
                  <Phase phase={run.phase} step={run.step} />
                  <span>{w.run.iterationOf(run.iteration, run.max_iterations)}</span>
                  <span>{formatDuration(w, now - Date.parse(run.started_at))}</span>
                </RunCard>
              ))}
            </ul>
          )}
        </section>
        <section className="section" aria-labelledby="recent">
          <h2 id="recent">{w.overview.recent}</h2>
          <RunList runs={view.recent} now={now} />
          <p className="more">
            <Link href="/history">{w.overview.all}</Link>
          </p>
        </section>
      </div>
      <aside aria-labelledby="cost">
        <h2 id="cost">{w.cost.title}</h2>
        <p className="sum">
          {formatCost(w, view.cost.usd, view.cost.complete)}{' '}
          <span className="soft">{w.cost.sum(view.runs)}</span>
        </p>
        {view.cost.by_day.some(day => day.usd > 0) && <CostByDay days={view.cost.by_day} />}
        {Object.keys(view.cost.by_role).length > 0 && <CostByRole sums={view.cost.by_role} />}
      </aside>
    </div>
  );
}

/** A run: its title, facts about it, and what it waits for. */
function RunCard({ run, children }: { run: RunRow; children: ReactNode }) {
  const w = useWords();
  return (
    <li className={run.wants ? 'card wants' : 'card'}>
      <div className="card-text">
        <Link href={`/run/${run.run_id}`} className="card-title">
          {run.title || run.run_id}
        </Link>
        <p className="about">
          {children}
          <span>{costOf(w, run)}</span>
        </p>
        {run.wants === 'answer' && run.pending_crp && <QuickAnswer id={run.run_id} crp={run.pending_crp} />}
      </div>
      {run.wants === 'review' && (
        <Link href={runPageOf(run)} className="button main">
          {w.overview.review}
        </Link>
      )}
    </li>
  );
}
