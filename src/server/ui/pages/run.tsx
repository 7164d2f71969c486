/** `/run/:id`: the live state of one run, and its controls. */
import { useQuery } from '@tanstack/react-query';
import { isOver } from '../../../core/policy/phase.ts';
import type { RunView, SeenEvent } from '../../protocol.ts';
import { api } from '../api.ts';
import { formatCost, formatDuration, formatTime, short, useNow } from '../format.ts';
import { AgentOutput } from '../parts/agent-output.tsx';
import { CostTable, isKnown } from '../parts/cost-table.tsx';
import { SealedCriteria } from '../parts/criteria.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { Phase } from '../parts/phase-label.tsx';
import { PhaseStrip } from '../parts/phase-strip.tsx';
import { Loaded } from '../parts/placeholders.tsx';
import { RunBanner } from '../parts/run-banner.tsx';
import { RunControls } from '../parts/run-controls.tsx';
import { TestResult } from '../parts/test-result.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useWords } from '../preferences.ts';
import { useSubscription } from '../socket.ts';
import { useTitle } from '../title.ts';

const NO_EVENTS: readonly SeenEvent[] = [];

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
  const over = isOver(run);
  return (
    <>
      <div className="head">
        <div>
          <h1>{run.title || run.run_id}</h1>
          <p className="about">
            <Phase phase={run.phase} step={run.step} />
            <span className="mono">{run.run_id}</span>
            <span title={formatTime(run.started_at)}>
              {formatDuration(w, (over ? Date.parse(run.updated_at) : now) - Date.parse(run.started_at))}
            </span>
            <span>
              {formatCost(w, run.cost_usd, isKnown(run))}
              {run.setup.budget_usd !== null && ` ${w.cost.ofBudget(`$${run.setup.budget_usd}`)}`}
            </span>
            <span>
              {w.run.base} <code>{short(run.base)}</code>
            </span>
          </p>
          <p className={run.setup.sandbox ? 'soft' : 'warn'}>
            {run.setup.sandbox ? w.run.agentsInSandbox(run.setup.sandbox.mode) : w.run.agentsWithout}
          </p>
        </div>
        {!over && <RunControls run={run} />}
      </div>
      <RunBanner run={run} />
      <PhaseStrip run={run} events={events} />
      <section className="section agents" aria-label={w.run.output}>
        {roles.map(role => (
          <AgentOutput key={role} run={run} role={role} now={now} launches={launchesOf(events, role)} />
        ))}
      </section>
      <div className="section two">
        <Timeline events={events} />
        <div className="stack run-facts">
          <SealedCriteria run={run} />
          <TestResult run={run} />
          <CostTable run={run} />
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
