/** `/run/:id`: one run as it goes, and what a person may do about it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RunView, SeenEvent } from '../../protocol.ts';
import { api } from '../api.ts';
import { compact, cost, duration, moment, short, useNow } from '../format.ts';
import { useSubscription } from '../live.ts';
import { useWords } from '../look.ts';
import { AgentOutput } from '../parts/agent-output.tsx';
import { Ask } from '../parts/ask.tsx';
import { CostByRole } from '../parts/cost-chart.tsx';
import { FreshFiles } from '../parts/fresh-files.tsx';
import { isAtWork, Phase } from '../parts/phase.tsx';
import { PhaseStrip } from '../parts/phase-strip.tsx';
import { Prose } from '../parts/prose.tsx';
import { Loaded, Trouble } from '../parts/states.tsx';
import { TestResult } from '../parts/test-result.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useTitle } from '../title.ts';
import { useWish } from '../wish.ts';

const MORE_MS = 600_000;
const NO_EVENTS: readonly SeenEvent[] = [];
const OVER = ['completed', 'failed', 'stopped'];

export default function Run({ id }: { id: string }) {
  const run = useQuery({ queryKey: ['run', id], queryFn: () => api.run(id) });
  const events = useQuery({ queryKey: ['events', id], queryFn: () => api.events(id, 0) });
  useSubscription(id);
  useTitle(run.data?.title || id);
  return <Loaded of={run}>{view => <Shown run={view} events={events.data?.events ?? NO_EVENTS} />}</Loaded>;
}

function Shown({ run, events }: { run: RunView; events: readonly SeenEvent[] }) {
  const w = useWords();
  const now = useNow(1000);
  const roles = [...new Set(run.setup.pipeline.map(step => step.role))];
  const over = OVER.includes(run.phase);
  return (
    <>
      <div className="head">
        <div>
          <h1>{run.title || run.run_id}</h1>
          <p className="about">
            <Phase phase={run.phase} step={run.step} />
            <span className="mono">{run.run_id}</span>
            <span title={moment(run.started_at)}>
              {duration((over ? Date.parse(run.updated_at) : now) - Date.parse(run.started_at))}
            </span>
            <span>
              {cost(w, run.cost_usd, isKnown(run))}
              {run.setup.budget_usd !== null && ` ${w.cost.ofBudget(`$${run.setup.budget_usd}`)}`}
            </span>
            <span>
              {w.run.base} <code>{short(run.base)}</code>
            </span>
          </p>
        </div>
        {!over && <Wishes run={run} />}
      </div>
      <Word run={run} />
      <PhaseStrip run={run} events={events} />
      <section className="section agents" aria-label={w.run.output}>
        {roles.map(role => (
          <AgentOutput key={role} run={run} role={role} now={now} launches={launchesOf(events, role)} />
        ))}
      </section>
      <div className="section two">
        <Timeline events={events} />
        <div className="stack run-facts">
          <FreshFiles runId={run.run_id} />
          <TestResult run={run} />
          <Spent run={run} />
        </div>
      </div>
      <Texts run={run} />
    </>
  );
}

const launchesOf = (events: readonly SeenEvent[], role: string): number[] => [
  ...new Set(
    events.flatMap(({ event }) =>
      event.type === 'agent.started' && event.agent === role ? [event.launch] : [],
    ),
  ),
];

/** What is still at work has no cost yet; only what ended without one makes the sum uncertain. */
const isKnown = (run: RunView): boolean => Object.values(run.usage).every(spend => spend.complete);

function Wishes({ run }: { run: RunView }) {
  const w = useWords();
  const [sure, setSure] = useState(false);
  const stop = useWish(() => api.stop(run.run_id), w.run.asked);
  const retry = useWish(() => api.retry(run.run_id), w.run.asked);
  const extend = useWish(() => api.extend(run.run_id, MORE_MS), w.run.asked);
  const error = stop.error ?? retry.error ?? extend.error;
  return (
    <div className="stack">
      <div className="row">
        {run.working && (
          <>
            <button type="button" disabled={extend.isPending} onClick={() => extend.mutate(undefined)}>
              {w.run.extend}
            </button>
            <button type="button" disabled={retry.isPending} onClick={() => retry.mutate(undefined)}>
              {w.run.retry}
            </button>
          </>
        )}
        <button type="button" className="grave" disabled={stop.isPending} onClick={() => setSure(true)}>
          {w.run.stop}
        </button>
      </div>
      {error && <Trouble error={error} />}
      {sure && (
        <Ask
          title={w.run.stop}
          yes={w.run.stop}
          grave
          then={() => stop.mutate(undefined)}
          close={() => setSure(false)}
        >
          <p>{w.run.stopSure}</p>
        </Ask>
      )}
    </div>
  );
}

/** The one thing a person should know first. */
function Word({ run }: { run: RunView }) {
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
            {w.event('run.completed')}: <code>{run.branch}</code>
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
      {run.rehearsal && <p className="note">{w.run.rehearsal}</p>}
      {run.attach && isAtWork(run.phase) && (
        <p className="soft">
          <code>{run.attach}</code>
        </p>
      )}
    </div>
  );
}

function Spent({ run }: { run: RunView }) {
  const w = useWords();
  const roles = Object.entries(run.usage);
  return (
    <section className="sheet" aria-labelledby="spent">
      <h2 id="spent">{w.cost.byAgent}</h2>
      <p className="sum">{cost(w, run.cost_usd, isKnown(run))}</p>
      {roles.length > 0 && (
        <>
          <CostByRole sums={Object.fromEntries(roles.map(([role, spend]) => [role, spend.cost_usd]))} />
          <table className="tokens">
            <thead>
              <tr>
                <th scope="col">{w.cost.tokens}</th>
                <th scope="col" className="number">
                  {w.cost.input}
                </th>
                <th scope="col" className="number">
                  {w.cost.cached}
                </th>
                <th scope="col" className="number">
                  {w.cost.output}
                </th>
              </tr>
            </thead>
            <tbody>
              {roles.map(([role, spend]) => (
                <tr key={role}>
                  <th scope="row">{w.role(role)}</th>
                  <td className="number">
                    {compact(spend.input_tokens + spend.cache_creation_input_tokens)}
                  </td>
                  <td className="number">{compact(spend.cache_read_input_tokens)}</td>
                  <td className="number">{compact(spend.output_tokens)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {!isKnown(run) && <p className="soft">{w.cost.incomplete}</p>}
    </section>
  );
}

function Texts({ run }: { run: RunView }) {
  const w = useWords();
  return (
    <section className="section stack" aria-label={w.run.briefing}>
      <details className="sheet">
        <summary>{w.run.briefing}</summary>
        <Prose text={run.briefing} />
      </details>
      {run.refined !== null && (
        <details className="sheet">
          <summary>{w.run.refined}</summary>
          <Prose text={run.refined} />
        </details>
      )}
    </section>
  );
}
