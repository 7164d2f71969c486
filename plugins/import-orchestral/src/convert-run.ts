/**
 * Converts an Orchestral run: turns the history in its state.json into Dure events. The run always ends in a
 * phase that needs no driver. Its costs are unknown, because Orchestral never recorded them; its tests do not count
 * as run, because Dure did not run them; and it has no commits.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentStep, ForeignEvent, ForeignRun, RunEvent, Verdict } from 'dure';
import { z } from 'zod';
import { readJson } from './read-json.ts';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;
type Setup = EventOf<'run.started'>['setup'];

const moment = z
  .string()
  .transform(text => Date.parse(text))
  .refine(ms => Number.isFinite(ms))
  .nullable()
  .catch(null);

const oldState = z.object({
  phase: z.string().catch('unknown'),
  iteration: z.int().min(1).max(1000).catch(1),
  max_iterations: z.int().min(1).max(1000).catch(3),
  started_at: moment,
  updated_at: moment,
  agents: z
    .record(
      z.string(),
      z
        .object({ status: z.string(), started_at: moment, completed_at: moment })
        .catch({ status: 'pending', started_at: null, completed_at: null }),
    )
    .catch({}),
});
type OldState = z.infer<typeof oldState>;

/** `from` is the folder of the run, relative to the project. Invalid values in its state.json count as missing. */
export async function convertRun(root: string, from: string): Promise<ForeignRun> {
  const { value, problem } = await readJson(join(root, from, 'state.json'));
  const state = oldState.catch(oldState.parse({})).parse(value);
  const started = state.started_at ?? state.updated_at ?? (await lstat(join(root, from))).mtimeMs;
  return {
    from,
    started,
    phase: state.phase,
    skipped: problem === null ? [] : [`state.json: ${problem}`],
    events: (id, verdict) => eventsOf({ id, from, state, verdict, started }),
  };
}

/** The object id that git uses for "no object". */
const NO_OBJECT = '0'.repeat(40);

/** In Orchestral, each agent had one step, and only agents ran the tests. */
const STEPS: readonly AgentStep[] = [
  stepOf('refiner', { name: 'refine', phase: 'refine', folder: 'briefing', yields: 'files' }),
  stepOf('builder', { name: 'build', phase: 'build', folder: 'builder', yields: 'tree' }),
  stepOf('verifier', { name: 'generate', phase: 'verify', folder: 'verifier', yields: 'tests' }),
  stepOf('gatekeeper', { name: 'gate', phase: 'gate', folder: 'gatekeeper', yields: 'verdict' }),
];

function stepOf(role: string, own: Pick<AgentStep, 'name' | 'phase' | 'folder' | 'yields'>): AgentStep {
  return { ...own, role, flag: `${own.folder}/done.flag`, outputs: [], optional: [], reads: [], clears: [] };
}

const setupOf = (old: OldState): Setup => ({
  pipeline_name: 'full',
  pipeline: [...STEPS],
  max_iterations: Math.max(old.max_iterations, old.iteration),
  max_minor_fixes: 2,
  max_consultations: 3,
  timeouts: {},
  timeout_action: 'warn',
  retry: { attempts: 0, kinds: [] },
  budget_usd: null,
  prepare: null,
  checkout: { directory: '.', copy: [], network: false },
  checks: [],
  criteria: { tests_passing: true, min_test_coverage: 0 },
  take_recommendations: false,
  git: { hooks: {}, settings: {} },
  agents: { backends: {}, allow_bypass: false },
  decisions: {},
});

interface OldRun {
  readonly id: string;
  /** Folder of the original run, relative to the project. */
  readonly from: string;
  readonly state: OldState;
  readonly verdict: Verdict | null;
  /** When the run started, in milliseconds since 1970; used for events without a time. */
  readonly started: number;
}

type Untimed = ForeignEvent extends infer E ? (E extends ForeignEvent ? Omit<E, 'at'> : never) : never;

function eventsOf(run: OldRun): ForeignEvent[] {
  const { state: old } = run;
  let last = run.started;
  const events: ForeignEvent[] = [];
  const addEvent = (event: Untimed, time: number | null = null) => {
    // Times in a log must not decrease.
    last = Math.max(last, time ?? last);
    events.push({ at: iso(last), ...event } as ForeignEvent);
  };
  addEvent({ type: 'run.started', run_id: run.id, base: NO_OBJECT, setup: setupOf(old) });
  let launch = 1;
  let iteration = 1;
  for (const step of STEPS) {
    const agent = old.agents[step.role];
    if (!agent || agent.status === 'pending') continue;
    if (step !== STEPS[0] && iteration < old.iteration) {
      iteration = old.iteration;
      launch += 1;
      addEvent({ type: 'iteration.started', iteration, reason: 'recorded by Orchestral' });
    }
    const which = { agent: step.role, step: step.name, launch };
    const ended = agent.completed_at ?? agent.started_at;
    const succeeded = agent.status === 'completed';
    addEvent({ type: 'agent.started', ...which, iteration }, agent.started_at);
    const since = last;
    addEvent({ type: 'agent.exited', ...which, ...UNKNOWN, outcome: succeeded ? 'ok' : 'lost' }, ended);
    if (step.yields === 'verdict' && run.verdict)
      addEvent({ type: 'verdict.given', ...which, ...judgement(run.verdict) });
    else if (succeeded) {
      addEvent({ type: 'agent.completed', ...which, duration_ms: last - since });
      launch += 1;
    } else if (agent.status === 'failed' || agent.status === 'timeout') {
      const kind = agent.status === 'timeout' ? 'timeout' : 'crash';
      addEvent({ type: 'agent.failed', ...which, kind, message: `${agent.status}, according to Orchestral` });
    }
  }
  addEvent(ending(run), old.updated_at);
  return events;
}

const iso = (ms: number) => new Date(ms).toISOString();

const UNKNOWN = {
  kind: null,
  message: 'imported; the cost was not recorded',
  retry_at: null,
  session: null,
  asks: false,
  usage: null,
} as const;

const NEXT: Record<string, EventOf<'verdict.given'>['next']> = {
  PASS: 'ready',
  MINOR_FAIL: 'fix',
  FAIL: 'rework',
};
const judgement = ({ verdict, reason, issues = [] }: Verdict) => ({
  verdict,
  claimed: verdict,
  lowered: null,
  reason,
  issues,
  next: NEXT[verdict] ?? 'ask',
});

/** Makes the last event. A run that did not finish counts as stopped, because it cannot be continued. */
function ending({ from, state }: OldRun): Untimed {
  const reason = `Orchestral left it in phase ${state.phase}, and Dure cannot continue it`;
  if (state.phase === 'failed') return { type: 'run.failed', reason: 'it failed, according to Orchestral' };
  if (state.phase !== 'completed') return { type: 'run.stopped', reason };
  const none = { commit: NO_OBJECT, tree: NO_OBJECT };
  return { type: 'run.completed', how: 'branch', merged: false, into: from, ...none };
}
