/** `/run/:id`: the live state of one run, and its controls. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { agentRolesOf, isAgentStep } from '../../../core/policy/pipeline/look-up-steps.ts';
import { isOver } from '../../../core/policy/state/phase.ts';
import { areCostsReported } from '../../../core/usage-tracker.ts';
import { money } from '../../../words/format-amounts.ts';
import type { RunView, SeenEvent } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { formatCost, formatDuration, formatTime, short } from '../format.ts';
import { useEvents } from '../hooks/use-events.ts';
import { useNow } from '../hooks/use-now.ts';
import { AgentOutput } from '../parts/agent-output.tsx';
import { CostTable } from '../parts/cost-table.tsx';
import { DecidedElsewhere } from '../parts/decision/decided-elsewhere.tsx';
import { Prose } from '../parts/lazy-markdown.tsx';
import { OtherViewers } from '../parts/other-viewers.tsx';
import { SealedCriteria } from '../parts/pack/criteria.tsx';
import { TestResult } from '../parts/pack/test-results.tsx';
import { Phase } from '../parts/phase-label.tsx';
import { PhaseStrip } from '../parts/phase-strip.tsx';
import { QueryPage } from '../parts/query-result.tsx';
import { RunBanner } from '../parts/run-banner.tsx';
import { RunControls } from '../parts/run-controls.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useWords } from '../preferences.ts';
import { useTitle } from '../tab-title.ts';
import { launchRowsOf, timelineGroups, workedMs } from '../timeline-rows.ts';

const NO_EVENTS: readonly SeenEvent[] = [];

export default function Run({ id }: { id: string }) {
  const run = useQuery({ queryKey: ['run', id], queryFn: () => api.run(id) });
  const events = useEvents(id);
  useTitle(run.data?.title || id);
  return (
    <QueryPage title={id} of={run}>
      {view => <Shown run={view} events={events?.events ?? NO_EVENTS} />}
    </QueryPage>
  );
}

function Shown({ run, events }: { run: RunView; events: readonly SeenEvent[] }) {
  const w = useWords();
  const now = useNow(1000);
  const roles = agentRolesOf(run.setup);
  const current = roles.reduce((a, b) =>
    (run.agents[b]?.launch ?? 0) > (run.agents[a]?.launch ?? 0) ? b : a,
  );
  const over = isOver(run);
  const own = ownSteps(run);
  const groups = useMemo(() => timelineGroups(events), [events]);
  return (
    <>
      <div className="head">
        <div>
          <h1>{run.title || run.run_id}</h1>
          <p className="about">
            <Phase phase={run.phase} step={run.step} />
            <span className="mono">{run.run_id}</span>
            <span title={formatTime(run.started_at)}>
              {formatDuration(
                w,
                (over || run.wants ? Date.parse(run.updated_at) : now) - Date.parse(run.started_at),
              )}
            </span>
            <span>
              {formatCost(w, run.cost_usd, areCostsReported(run))}
              {run.setup.budget_usd !== null && ` ${w.cost.ofBudget(money(run.setup.budget_usd))}`}
            </span>
            <span>
              {w.run.base} <code>{short(run.base)}</code>
            </span>
            <OtherViewers id={run.run_id} />
          </p>
          <p className={run.setup.sandbox ? 'soft' : 'warn'}>
            {run.setup.sandbox
              ? `${w.run.output}: ${w.sandbox.inside(run.setup.sandbox.mode)}`
              : w.sandbox.agentsWithout}
          </p>
        </div>
        {!over && <RunControls run={run} />}
      </div>
      <DecidedElsewhere id={run.run_id} />
      <RunBanner run={run} events={events} />
      <PhaseStrip run={run} events={events} />
      <section className="section agents" aria-labelledby="agents">
        <h2 className="unseen" id="agents">
          {w.run.output}
        </h2>
        {roles.map(role => (
          <AgentOutput
            key={role}
            {...{ run, role, now }}
            launches={numbersOf(events, role)}
            worked={workedMs(launchRowsOf(groups, role, own), now)}
            isCurrent={role === current}
          />
        ))}
      </section>
      <div className="section two">
        <Timeline groups={groups} own={own} />
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

const ownSteps = ({ setup }: RunView): string[] =>
  setup.pipeline.filter(step => !isAgentStep(step)).map(step => step.name);

const numbersOf = (events: readonly SeenEvent[], role: string): number[] => [
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
