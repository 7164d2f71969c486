/** A run's progress through its phases, and the verdict of each iteration. */
import { Fragment } from 'react';
import type { RunView, SeenEvent } from '../../http-protocol.ts';
import { useWords } from '../preferences.ts';

type PhaseStatus = 'done' | 'now' | 'waits' | 'bad' | 'halted' | 'later';
const IDLE_STATUS: Readonly<Record<string, PhaseStatus>> = {
  waiting_human: 'waits',
  failed: 'bad',
  stopped: 'halted',
  interrupted: 'halted',
};

export interface PhaseStep {
  readonly phase: string;
  readonly status: PhaseStatus;
}

/** The distinct phases in order, followed by the review. */
function phaseSteps(run: Pick<RunView, 'setup' | 'step' | 'phase' | 'interrupted_from'>): PhaseStep[] {
  const phases = [...new Set(run.setup.pipeline.map(step => step.phase))];
  const reviewed =
    run.phase === 'ready_for_merge' ||
    run.phase === 'completed' ||
    run.interrupted_from === 'ready_for_merge';
  const here = reviewed
    ? phases.length
    : phases.indexOf(run.setup.pipeline.find(step => step.name === run.step)?.phase ?? phases[0]!);
  const statusOf = (index: number): PhaseStatus =>
    index < here ? 'done' : index > here ? 'later' : (IDLE_STATUS[run.phase] ?? 'now');
  return [
    ...phases.map((phase, index) => ({ phase, status: statusOf(index) })),
    {
      phase: 'review',
      status:
        run.phase === 'completed'
          ? 'done'
          : run.phase === 'ready_for_merge'
            ? 'waits'
            : statusOf(phases.length),
    },
  ];
}

export interface JudgedIteration {
  readonly iteration: number;
  /** The verdicts in the order in which they were given; all but the last led to a minor fix. */
  readonly verdicts: { readonly verdict: string; readonly reason: string }[];
}

function judgedIterations(events: readonly SeenEvent[]): JudgedIteration[] {
  const judged: JudgedIteration[] = [];
  let iteration = 1;
  for (const { event } of events) {
    if (event.type === 'iteration.started') iteration = event.iteration;
    if (event.type !== 'verdict.given') continue;
    if (judged.at(-1)?.iteration !== iteration) judged.push({ iteration, verdicts: [] });
    judged.at(-1)!.verdicts.push(event);
  }
  return judged;
}

const STATUS_SIGNS: Readonly<Record<PhaseStatus, string>> = {
  done: '✓',
  now: '',
  waits: '?',
  bad: '×',
  halted: '–',
  later: '',
};
const VERDICT_TONE: Readonly<Record<string, string>> = {
  PASS: 'good',
  MINOR_FAIL: 'warn',
  FAIL: 'bad',
  NEEDS_HUMAN: 'warn',
};

export function PhaseStrip({ run, events }: { run: RunView; events: readonly SeenEvent[] }) {
  const w = useWords();
  const judged = judgedIterations(events);
  return (
    <section className="way" aria-label={w.run.phases}>
      <ol className="stops">
        {phaseSteps(run).map(({ phase, status }) => (
          <li
            key={phase}
            className={`stop stop-${status}`}
            aria-current={status === 'now' || status === 'waits' ? 'step' : undefined}
          >
            <span className="stop-sign" aria-hidden="true">
              {STATUS_SIGNS[status]}
            </span>
            <span className="stop-name">{phase === 'review' ? w.review.title : w.phase(phase)}</span>
            <span className="stop-note soft">
              {(status === 'now' && run.step && w.step(run.step)) || w.run.phaseStatuses[status]}
            </span>
          </li>
        ))}
      </ol>
      <p className="about">
        <span>{w.run.iterationOf(run.iteration, run.max_iterations)}</span>
        {run.minor_fixes > 0 && <span>{w.run.fixing(run.minor_fixes)}</span>}
        {judged.map(({ iteration, verdicts }) => (
          <span key={iteration}>
            {run.iteration > 1 && `${w.run.iteration(iteration)}: `}
            {verdicts.map(({ verdict, reason }, index) => (
              <Fragment key={String(index)}>
                {index > 0 && ' → '}
                <span className={VERDICT_TONE[verdict] ?? 'soft'} title={reason}>
                  {w.verdict(verdict)}
                </span>
              </Fragment>
            ))}
          </span>
        ))}
      </p>
    </section>
  );
}
