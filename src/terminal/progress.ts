/**
 * Progress on a terminal: the phases of a round with listr2, the agent's last words below the one at work.
 * It is a view of what is recorded. Leaving it, or its failing, changes nothing in the run.
 */
import { type DefaultRenderer, Listr, type ListrTaskWrapper, type SimpleRenderer } from 'listr2';
import { isOver } from '../core/evolve.ts';
import { currentStep, phasesOf, stepOf } from '../core/pipeline.ts';
import { type RunEvent, severityOf } from '../formats/events.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { words } from '../words/cli/words.ts';
import { lastWords } from './agent-tail.ts';
import { eventLine } from './event-line.ts';
import type { Look } from './follow.ts';
import { paint } from './paint.ts';
import { cells, columns, oneLine, pad, shorten } from './text.ts';
import { cost, duration, phaseWord, round } from './words.ts';

export interface Progress {
  show(look: Look): Promise<void>;
  /** Leaves the screen quiet, so that something else can be written. The next look goes on. */
  rest(): Promise<void>;
}

type Task = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;

/** The phases from where the run stands to the end of this round, as a list that is being drawn. */
interface Drawn {
  readonly key: string;
  readonly phases: readonly string[];
  readonly tasks: Map<string, Task>;
  readonly begun: Map<string, number>;
  /** Keeps what came out of a phase, to be said when it is over. */
  hear(event: RunEvent): void;
  /** Ends the task of a phase: well, or with the words why it did not. */
  settle(phase: string, problem: string | null): void;
  finish(problem: string | null): Promise<void>;
}

export function listProgress(files: RunFiles, write: (line: string) => void): Progress {
  const tail = lastWords();
  let drawn: Drawn | null = null;
  const rest = async (problem: string | null = null) => {
    await drawn?.finish(problem);
    drawn = null;
  };
  return {
    async show({ events, state }) {
      const works =
        !isOver(state) && !['waiting_human', 'ready_for_merge', 'interrupted'].includes(state.phase);
      for (const event of events) drawn?.hear(event);
      if (drawn && (!works || keyOf(state) !== drawn.key || !drawn.phases.includes(state.phase))) {
        if (state.phase === 'ready_for_merge' || state.phase === 'completed') settleAll(drawn);
        await rest(works ? null : stopWord(state));
      }
      const loud = events.filter(e => severityOf(e.type) !== 'info' && !SAID_ELSEWHERE.includes(e.type));
      if (!drawn) for (const event of loud.slice(-6)) write(eventLine(event));
      if (!works) return;
      drawn ??= draw(state);
      for (const phase of drawn.phases.slice(0, drawn.phases.indexOf(state.phase))) drawn.settle(phase, null);
      drawn.begun.set(state.phase, drawn.begun.get(state.phase) ?? Date.now());
      const task = drawn.tasks.get(state.phase);
      if (!task) return;
      task.title = titleOf(state, Date.now() - drawn.begun.get(state.phase)!);
      const said = await tail.of(files.stream(currentStep(state).role, state.launch));
      const trouble = loud.at(-1);
      task.output = shorten(
        trouble ? words().event(trouble) : oneLine(said) || words().progress.starting,
        columns() - 6,
      );
    },
    rest: () => rest(words().progress.goesOn),
  };
}

/** The one who asked for this view says these, with the commands that answer them. */
const SAID_ELSEWHERE: readonly RunEvent['type'][] = ['crp.created', 'mrp.created'];

/** What an event tells about the phase it belongs to. */
const TELLING: readonly RunEvent['type'][] = [
  'agent.completed',
  'tests.executed',
  'checks.executed',
  'verdict.given',
];

const keyOf = (s: RunState) => `${s.iteration}.${s.minor_fixes}.${s.mode}`;
/** Why the phase at work is left; null when it is done. */
function stopWord(s: RunState): string | null {
  if (['ready_for_merge', 'completed'].includes(s.phase)) return null;
  const { asked, asks } = words().progress;
  if (s.phase !== 'waiting_human') return words().phase(s.phase);
  return s.setup.take_recommendations ? asked : asks;
}

const settleAll = (drawn: Drawn) => {
  for (const phase of drawn.phases) drawn.settle(phase, null);
};

function titleOf(s: RunState, ms: number): string {
  const step = currentStep(s);
  const doing =
    step.kind !== 'agent'
      ? words().progress[step.kind]
      : step.name === s.phase
        ? words().role(step.role)
        : words().step(step.role, step.name);
  const facts = [
    doing,
    s.retries > 0 ? words().attempt(s.retries + 1) : '',
    round(s),
    duration(ms),
    cost(s),
  ].filter(Boolean);
  return titled(s.phase, facts.join(' · '));
}

const titled = (phase: string, more: string) =>
  `${pad(phaseWord(phase), 7)} ${paint('dim', shorten(more, columns() - Math.max(7, cells(phaseWord(phase))) - 5))}`;

function draw(s: RunState): Drawn {
  const came = new Map<string, string>();
  const all = phasesOf(s.setup);
  const phases = all.slice(all.indexOf(s.phase));
  const tasks = new Map<string, Task>();
  const ends = new Map<string, (problem: string | null) => void>();
  const settled = new Map(
    phases.map(phase => [phase, new Promise<string | null>(resolve => ends.set(phase, resolve))]),
  );
  let stopped = false;
  const list = new Listr(
    phases.map(phase => ({
      title: phaseWord(phase),
      // Asked again when its turn comes: what is no longer going to happen here disappears.
      enabled: () => !stopped,
      task: async (_: unknown, task: Task) => {
        tasks.set(phase, task);
        const problem = await settled.get(phase)!;
        task.output = '';
        if (came.has(phase)) task.title = titled(phase, came.get(phase)!);
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
  // A list that cannot be drawn must not end the command that looks on.
  const ended = list.run().catch(() => {});
  return {
    key: keyOf(s),
    phases,
    tasks,
    begun: new Map(),
    hear(event) {
      if (!TELLING.includes(event.type) || !('step' in event)) return;
      const { phase } = stepOf(s.setup, event.step);
      const told = words().event(event);
      const before = came.get(phase);
      // The tests say more about a phase than that its last agent is done, and the checks come after them.
      if (event.type === 'checks.executed' && before) came.set(phase, `${before} · ${told}`);
      else if (event.type !== 'agent.completed' || !before) came.set(phase, told);
    },
    settle: (phase, problem) => ends.get(phase)?.(problem),
    async finish(problem) {
      stopped = true;
      const current = [...tasks.keys()].at(-1);
      for (const phase of phases) ends.get(phase)?.(phase === current ? problem : null);
      await ended;
    },
  };
}
