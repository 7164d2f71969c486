/**
 * Shows progress in a terminal: the phases of an iteration with listr2, and the latest output of the running agent.
 * Read-only: neither quitting nor an error in this view affects the run.
 */
import { type DefaultRenderer, Listr, type ListrTaskWrapper, type SimpleRenderer } from 'listr2';
import { currentStep, isAgentStep, phasesOf, stepOf } from '../../core/policy/pipeline/look-up-steps.ts';
import { mayTakeRecommendation } from '../../core/policy/questions/dure-questions-and-answers.ts';
import { isWorkedOn } from '../../core/policy/state/phase.ts';
import { severityOf } from '../../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { words } from '../../words/cli/load-language.ts';
import { costText, durationText, phaseWord, round } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { cells, columns, oneLineText, pad, shorten } from '../text-layout.ts';
import { sealedCriteria } from '../views/criteria-lines.ts';
import { eventLine } from '../views/event-line.ts';
import { lastOutputLine } from './agent-output-tail.ts';
import type { RunSnapshot } from './watch-run-snapshots.ts';

export interface Progress {
  show(snapshot: RunSnapshot): Promise<void>;
  /** Stops drawing so that other output can be written. The next `show` resumes. */
  pause(): Promise<void>;
}

type Task = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;

/** The list of phases from the current one to the end of the iteration. */
interface PhaseList {
  readonly key: string;
  readonly phases: readonly string[];
  readonly tasks: Map<string, Task>;
  readonly startedAt: Map<string, number>;
  /** Stores the result of a phase, to be shown when it is over. */
  addResult(event: RunEvent): void;
  /** Ends a phase's task: successfully, or with the reason for the failure. */
  endTask(phase: string, problem: string | null): void;
  finish(problem: string | null): Promise<void>;
}

/** Returns the acceptance criteria that an event adds to a run. */
function addedCriteria(event: RunEvent): readonly Criterion[] {
  if (event.type === 'mrp.rejected') return event.criteria ?? [];
  return (event.type === 'agent.completed' && event.criteria?.list) || [];
}

export function listProgress(files: RunFiles, write: (line: string) => void): Progress {
  const tail = lastOutputLine(files);
  let shown: PhaseList | null = null;
  let isFirst = true;
  const finish = async (problem: string | null = null) => {
    await shown?.finish(problem);
    shown = null;
  };
  return {
    async show({ events, state }) {
      const isActive = isWorkedOn(state.phase);
      for (const event of events) shown?.addResult(event);
      if (shown && (!isActive || keyOf(state) !== shown.key || !shown.phases.includes(state.phase))) {
        if (state.phase === 'ready_for_merge' || state.phase === 'completed') endAllTasks(shown);
        await finish(isActive ? null : stopReason(state));
      }
      const criteria = events.flatMap(addedCriteria);
      if (criteria.length > 0) {
        await finish();
        for (const line of sealedCriteria(criteria)) write(line);
      }
      const notable = events.filter(
        e => severityOf(e.type) !== 'info' && !PRINTED_BY_CALLER.includes(e.type),
      );
      if (!shown) for (const event of notable.slice(-6)) write(eventLine(event));
      if (!isActive) return;
      shown ??= draw(state, isFirst ? currentPass(state, events) : []);
      isFirst = false;
      for (const phase of shown.phases.slice(0, shown.phases.indexOf(state.phase)))
        shown.endTask(phase, null);
      shown.startedAt.set(state.phase, shown.startedAt.get(state.phase) ?? performance.now());
      const task = shown.tasks.get(state.phase);
      if (!task) return;
      task.title = titleOf(state, performance.now() - shown.startedAt.get(state.phase)!);
      const output = await tail.of(currentStep(state).role, state.launch);
      const lastNotable = notable.at(-1);
      task.output = shorten(
        lastNotable ? words().event(lastNotable) : oneLineText(output) || words().progress.starting,
        columns() - 6,
      );
    },
    pause: () => finish(words().progress.goesOn),
  };
}

/** Events that are not shown here: the caller prints them with the commands for answering or deciding. */
const PRINTED_BY_CALLER: readonly RunEvent['type'][] = ['crp.created', 'mrp.created'];

/** Events that contain a result of their phase. */
const RESULT_EVENTS: readonly RunEvent['type'][] = [
  'agent.completed',
  'tests.executed',
  'exam.executed',
  'checks.executed',
  'verdict.given',
];

const keyOf = (s: RunState) => `${s.iteration}.${s.minor_fixes}.${s.mode}`;
/** Returns why the run left its phase; null if it is ready for merge or completed. */
function stopReason(s: RunState): string | null {
  if (['ready_for_merge', 'completed'].includes(s.phase)) return null;
  const { asked, asks } = words().progress;
  if (s.phase !== 'waiting_human') return words().phase(s.phase);
  return s.setup.take_recommendations && mayTakeRecommendation(s) ? asked : asks;
}

const endAllTasks = (list: PhaseList) => {
  for (const phase of list.phases) list.endTask(phase, null);
};

function titleOf(s: RunState, ms: number): string {
  const step = currentStep(s);
  const activity = !isAgentStep(step)
    ? words().progress[step.yields]
    : step.name === s.phase
      ? words().role(step.role)
      : words().step(step.role, step.name);
  const facts = [
    activity,
    s.retries > 0 ? words().attempt(s.retries + 1) : '',
    round(s),
    durationText(ms),
    costText(s),
  ].filter(Boolean);
  return titled(s.phase, facts.join(' · '));
}

const titled = (phase: string, more: string) =>
  `${pad(phaseWord(phase), 7)} ${paint('dim', shorten(more, columns() - Math.max(7, cells(phaseWord(phase))) - 5))}`;

/**
 * Returns the events of the current pass through the pipeline. A new pass starts when work goes back to an earlier
 * phase.
 */
function currentPass(s: RunState, events: readonly RunEvent[]): readonly RunEvent[] {
  const order = phasesOf(s.setup);
  let [from, furthest] = [0, -1];
  for (const [at, event] of events.entries()) {
    if (event.type !== 'agent.started') continue;
    const phase = order.indexOf(stepOf(s.setup, event.step).phase);
    if (phase < furthest) from = at;
    furthest = phase;
  }
  return events.slice(from);
}

/** `before` contains events of phases that are already over; those phases are drawn too. */
function draw(s: RunState, before: readonly RunEvent[]): PhaseList {
  const results = new Map<string, string>();
  const all = phasesOf(s.setup);
  const startedAt = new Map<string, number>();
  for (const event of before) {
    if (event.type !== 'agent.started') continue;
    const { phase } = stepOf(s.setup, event.step);
    startedAt.set(
      phase,
      startedAt.get(phase) ?? performance.now() - Math.max(0, Date.now() - Date.parse(event.at)),
    );
  }
  const phases = all.filter((phase, at) => at >= all.indexOf(s.phase) || startedAt.has(phase));
  const tasks = new Map<string, Task>();
  const ends = new Map<string, (problem: string | null) => void>();
  const completions = new Map(
    phases.map(phase => [phase, new Promise<string | null>(resolve => ends.set(phase, resolve))]),
  );
  let stopped = false;
  const list = new Listr(
    phases.map(phase => ({
      title: phaseWord(phase),
      // Evaluated when this phase's turn comes, so that phases that will not happen are hidden.
      enabled: () => !stopped,
      task: async (_: unknown, task: Task) => {
        tasks.set(phase, task);
        const problem = await completions.get(phase)!;
        task.output = '';
        if (results.has(phase)) task.title = titled(phase, results.get(phase)!);
        if (problem !== null) task.skip(`${phaseWord(phase)}: ${problem}`);
      },
    })),
    {
      concurrent: false,
      exitOnError: false,
      registerSignalListeners: false,
      renderer: 'default',
      rendererOptions: {
        collapseSkips: true,
        showSkipMessage: true,
        suffixSkips: false,
        formatOutput: 'truncate',
      },
    },
  );
  // A rendering error must not end the command.
  const ended = list.run().catch(() => {});
  const addResult = (event: RunEvent) => {
    if (!RESULT_EVENTS.includes(event.type) || !('step' in event)) return;
    const { phase } = stepOf(s.setup, event.step);
    const text = words().event(event);
    const earlier = results.get(phase);
    // A phase may get more results after its last agent has exited: from the tests and the checks.
    if (event.type === 'checks.executed' && earlier) results.set(phase, `${earlier} · ${text}`);
    else if (event.type !== 'agent.completed' || !earlier) results.set(phase, text);
  };
  before.forEach(addResult);
  return {
    key: keyOf(s),
    phases,
    tasks,
    startedAt,
    addResult,
    endTask: (phase, problem) => ends.get(phase)?.(problem),
    async finish(problem) {
      stopped = true;
      const current = [...tasks.keys()].at(-1);
      for (const phase of phases) ends.get(phase)?.(phase === current ? problem : null);
      await ended;
    },
  };
}
