/**
 * Where a run stands after an event. Pure: folding events.log with `evolve` rebuilds `state.json`.
 * Only this module changes a state.
 */
import type { EventOf, RunEvent } from '../formats/events.ts';
import type { AgentState, RunState, Spend, Step } from '../formats/state.ts';
import { withTrueStatus } from './agent-status.ts';
import { currentStep, rolesOf, stepAfter, stepBeforeProof, stepOf, timeoutOf } from './pipeline.ts';
import { spentUsd } from './usage-tracker.ts';

export { isOver, isWorkedOn } from './phase.ts';

/** Folds a whole log. The first event must be `run.started`. */
export function fold(events: readonly RunEvent[]): RunState {
  const [first, ...rest] = events;
  if (first?.type !== 'run.started') throw new RangeError('the log does not begin with run.started');
  return rest.reduce(evolve, begin(first));
}

export function begin(e: EventOf<'run.started'>): RunState {
  const [step] = e.setup.pipeline;
  return {
    run_id: e.run_id,
    phase: step!.phase,
    step: step!.name,
    mode: 'build',
    iteration: 1,
    max_iterations: e.setup.max_iterations,
    started_at: e.at,
    updated_at: e.at,
    agents: Object.fromEntries(rolesOf(e.setup).map(role => [role, { status: 'pending' } as AgentState])),
    pending_crp: null,
    history: [],
    seq: 1,
    base: e.base,
    setup: e.setup,
    launch: 1,
    since: null,
    ended: null,
    open: [],
    minor_fixes: 0,
    retries: 0,
    unrunnable: 0,
    consultations: 0,
    extra_ms: 0,
    timeout_noticed: false,
    not_before: null,
    budget_usd: e.setup.budget_usd,
    problem: null,
    known: {},
    next_crp: 1,
    waiting: null,
    resume: null,
    todo: null,
    sealed: {},
    tests: null,
    verdict: null,
    accepted: false,
    mrp: null,
    decisions: [],
    feedbacks: 0,
    usage: {},
    wishes_done: {},
    interrupted_from: null,
    reason: null,
  };
}

export const evolve = (before: RunState, e: RunEvent): RunState => withTrueStatus(changed(before, e));

function changed(before: RunState, e: RunEvent): RunState {
  const s: RunState = { ...before, seq: before.seq + 1, updated_at: e.at };
  switch (e.type) {
    case 'run.started':
      throw new RangeError('a run starts once');
    case 'run.interrupted':
      return { ...s, phase: 'interrupted', interrupted_from: s.phase };
    case 'run.resumed':
      return { ...s, phase: e.phase, interrupted_from: null };
    case 'workspace.prepared':
      return enter(s, stepAfter(s.setup, currentStep(s).name)!, null);
    case 'agent.started':
      return {
        ...s,
        since: e.at,
        open: [...s.open, { launch: e.launch, role: e.agent, step: e.step }],
        resume: null,
        agents: { ...s.agents, [e.agent]: { status: 'running', started_at: e.at, launch: e.launch } },
      };
    case 'agent.completed':
      return completed(s, e);
    case 'agent.failed':
      return fail(
        noted(agent(passedOver(s, e), e.agent, { status: 'failed' }), `failed (${e.kind})`, e.at),
        e.kind,
        e.message,
      );
    case 'agent.timeout':
      return timedOut(s, e);
    case 'agent.extended':
      return done({ ...s, extra_ms: s.extra_ms + e.ms, timeout_noticed: false }, 'extend', e.asked_at);
    case 'agent.retried':
      return done(enter({ ...s, retries: 0 }, currentStep(s), s.problem), 'retry', e.asked_at);
    case 'agent.waits':
      return { ...enter(s, currentStep(s), s.problem), not_before: e.until };
    case 'agent.exited':
      return exited(s, e);
    case 'tests.executed':
      return executed(s, e);
    case 'verdict.given':
      return judged(s, e);
    case 'crp.created':
      return asked(s, e);
    case 'vcr.created':
      return answered(s, e);
    case 'iteration.started':
      return enter(
        {
          ...s,
          iteration: e.iteration,
          mode: 'build',
          minor_fixes: 0,
          unrunnable: 0,
          retries: 0,
          mrp: null,
          accepted: false,
          todo: null,
        },
        stepOf(s.setup, 'build'),
        null,
      );
    case 'iteration.exhausted':
      return { ...s, todo: { do: 'ask', why: 'exhausted', message: e.reason } };
    case 'mrp.created':
      return { ...rest(s, 'ready_for_merge'), mrp: { commit: e.commit, tree: e.tree }, reason: null };
    case 'mrp.rejected':
      return {
        ...rest(s, stepOf(s.setup, 'build').phase),
        feedbacks: e.feedback,
        max_iterations: Math.max(s.max_iterations, s.iteration + 1),
        todo: { do: 'iterate', reason: 'changes were asked for' },
      };
    case 'approval.refused':
      return done({ ...s, reason: e.reason }, 'approve', e.asked_at);
    case 'run.completed':
      return { ...noted(rest(s, 'completed'), 'completed', e.at), reason: null };
    case 'run.failed':
      return { ...noted(rest(s, 'failed'), 'failed', e.at), reason: e.reason };
    case 'run.stopped':
      return { ...noted(rest(s, 'stopped'), 'stopped', e.at), reason: e.reason };
  }
}

/** Where no agent is wanted: over, ready, or about to ask. */
const rest = (s: RunState, phase: string): RunState => ({
  ...s,
  phase,
  waiting: null,
  pending_crp: null,
  todo: null,
});

/** Makes the next launch due. Counters that belong to a step or a phase begin anew when it changes. */
function enter(s: RunState, step: Step, problem: string | null): RunState {
  return {
    ...rest(s, step.phase),
    step: step.name,
    launch: s.launch + 1,
    since: null,
    ended: null,
    extra_ms: 0,
    timeout_noticed: false,
    not_before: null,
    problem,
    resume: null,
    retries: step.name === s.step ? s.retries : 0,
    consultations: step.phase === stepOf(s.setup, s.step ?? step.name).phase ? s.consultations : 0,
  };
}

const agent = (s: RunState, role: string, change: Partial<AgentState>): RunState => ({
  ...s,
  agents: { ...s.agents, [role]: { ...(s.agents[role] ?? { status: 'pending' }), ...change } },
});

const noted = (s: RunState, result: string, timestamp: string): RunState => ({
  ...s,
  history: [...s.history, { phase: s.step ? currentStep(s).phase : s.phase, result, timestamp }],
});

const done = (s: RunState, wish: string, askedAt: string): RunState => ({
  ...s,
  wishes_done: { ...s.wishes_done, [wish]: askedAt },
});

function completed(s: RunState, e: EventOf<'agent.completed'>): RunState {
  const sealed =
    e.commit && e.tree ? { ...s.sealed, [e.step]: { commit: e.commit, tree: e.tree } } : s.sealed;
  const next = stepAfter(s.setup, e.step);
  const moved = noted(
    agent({ ...s, sealed }, e.agent, { status: 'completed', completed_at: e.at }),
    'completed',
    e.at,
  );
  if (!next) return moved;
  return e.step === 'build'
    ? enter({ ...moved, tests: null, verdict: null, unrunnable: 0 }, next, null)
    : enter(moved, next, null);
}

const passedOver = (s: RunState, { passed_over = [] }: EventOf<'agent.failed'>): RunState => ({
  ...s,
  known: { ...s.known, ...Object.fromEntries(passed_over.map(({ file, hash }) => [file, hash])) },
});

/** Recoverable kinds start the same step again, with the problem named; anything else is for a person. */
function fail(s: RunState, kind: string, message: string): RunState {
  const { attempts, kinds } = s.setup.retry;
  return kinds.includes(kind) && s.retries < attempts
    ? enter({ ...s, retries: s.retries + 1 }, currentStep(s), message)
    : {
        ...s,
        problem: message,
        todo: { do: 'ask', why: kind === 'timeout' ? 'timeout' : 'failure', message },
      };
}

function timedOut(s: RunState, e: EventOf<'agent.timeout'>): RunState {
  const limit_ms = timeoutOf(s.setup, stepOf(s.setup, e.step)) + s.extra_ms;
  const message = `took longer than the ${Math.round(limit_ms / 1000)} s it may take`;
  if (e.action === 'warn') return agent({ ...s, timeout_noticed: true }, e.agent, {});
  const marked = noted(agent(s, e.agent, { status: 'timeout' }), 'timeout', e.at);
  return e.action === 'retry'
    ? fail(marked, 'timeout', message)
    : { ...marked, problem: message, todo: { do: 'ask', why: 'timeout', message } };
}

function exited(s: RunState, e: EventOf<'agent.exited'>): RunState {
  const { outcome, kind, message, retry_at, session, asks } = e;
  const counted: RunState = {
    ...s,
    open: s.open.filter(o => o.launch !== e.launch),
    usage:
      stepOf(s.setup, e.step).kind !== 'agent'
        ? s.usage
        : { ...s.usage, [e.agent]: added(s.usage[e.agent], e.usage) },
  };
  return e.launch === s.launch
    ? { ...counted, ended: { outcome, kind, message, retry_at, session, asks } }
    : counted;
}

function added(before: Spend | undefined, usage: EventOf<'agent.exited'>['usage']): Spend {
  const sum = before ?? {
    cost_usd: 0,
    complete: true,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return {
    cost_usd: sum.cost_usd + (usage?.cost_usd ?? 0),
    complete: sum.complete && typeof usage?.cost_usd === 'number' && !usage.incomplete,
    input_tokens: sum.input_tokens + (usage?.input_tokens ?? 0),
    output_tokens: sum.output_tokens + (usage?.output_tokens ?? 0),
    cache_read_input_tokens: sum.cache_read_input_tokens + (usage?.cache_read_input_tokens ?? 0),
    cache_creation_input_tokens: sum.cache_creation_input_tokens + (usage?.cache_creation_input_tokens ?? 0),
  };
}

/** Tests that cannot be run are the Verifier's to mend; when it cannot, the gate sees that nothing is proven. */
function executed(s: RunState, e: EventOf<'tests.executed'>): RunState {
  const counts = e.counts ?? { total: 0, passed: 0, failed: 0, skipped: 0 };
  const { machine, exit_code, coverage, tree, tests_tree } = e;
  const known = noted(
    { ...s, tests: { machine, exit_code, ...counts, coverage, tree, tests_tree } },
    `tests: ${machine}`,
    e.at,
  );
  if (machine === 'could-not-run' && s.unrunnable < s.setup.retry.attempts)
    return enter(
      { ...known, unrunnable: s.unrunnable + 1 },
      stepBeforeProof(s.setup),
      `Dure could not run the tests: ${e.problem ?? 'no test ran'}. See verifier/test-log.txt.`,
    );
  const ran = agent(known, e.agent, { status: 'completed', completed_at: e.at });
  return enter(ran, stepAfter(s.setup, e.step)!, null);
}

function judged(s: RunState, e: EventOf<'verdict.given'>): RunState {
  const { verdict, claimed, lowered, reason, issues } = e;
  const known = noted(
    agent({ ...s, verdict: { verdict, claimed, lowered, reason, issues } }, e.agent, {
      status: 'completed',
      completed_at: e.at,
    }),
    verdict,
    e.at,
  );
  const why = lowered ? `${reason} (${lowered})` : reason;
  switch (e.next) {
    case 'ready':
      return { ...known, todo: { do: 'pack' } };
    case 'fix':
      return s.minor_fixes < s.setup.max_minor_fixes
        ? enter(
            { ...known, mode: 'fix', minor_fixes: s.minor_fixes + 1, unrunnable: 0 },
            stepOf(s.setup, 'build'),
            null,
          )
        : {
            ...known,
            todo: { do: 'iterate', reason: `${s.minor_fixes} minor fixes were not enough: ${why}` },
          };
    case 'build':
      return { ...known, todo: { do: 'iterate', reason: why } };
    case 'ask':
      return { ...known, todo: { do: 'ask', why: 'verdict', message: why } };
    case 'fail':
      return { ...known, todo: { do: 'end', reason: why } };
  }
}

function asked(s: RunState, e: EventOf<'crp.created'>): RunState {
  const own = e.why === 'question';
  const waits = own ? agent(s, e.agent, { status: 'waiting_human' }) : s;
  return {
    ...rest(waits, 'waiting_human'),
    pending_crp: e.crp_id,
    known: { ...s.known, [e.seen_as]: e.seen_hash ?? e.hash, [e.crp_id]: e.hash },
    next_crp: Math.max(s.next_crp, Number(e.crp_id.slice('crp-'.length)) + 1),
    consultations: own ? s.consultations + 1 : s.consultations,
    waiting: {
      crp: e.crp_id,
      why: e.why,
      phase: currentStep(s).phase,
      session: own && s.ended?.asks ? s.ended.session : null,
      launch: s.launch,
    },
  };
}

function answered(s: RunState, e: EventOf<'vcr.created'>): RunState {
  const session = s.waiting?.session ?? null;
  const t: RunState = { ...rest(s, s.waiting?.phase ?? s.phase), decisions: [...s.decisions, e.vcr_id] };
  const words =
    [s.problem, e.rationale && `The person says: ${e.rationale}`].filter(Boolean).join('\n') || null;
  switch (e.effect) {
    case 'resume': {
      const next = enter(t, currentStep(t), t.problem);
      return { ...next, resume: session ? { session, vcr: e.vcr_id } : null };
    }
    case 'retry':
      return enter({ ...t, retries: 0 }, currentStep(t), words);
    case 'again':
      return {
        ...t,
        max_iterations: Math.max(t.max_iterations, t.iteration + 1),
        todo: { do: 'iterate', reason: e.rationale || 'the person asked for one more' },
      };
    case 'accept':
      return { ...t, accepted: true, todo: { do: 'pack' } };
    case 'pack':
      return { ...t, todo: { do: 'pack' } };
    case 'raise': {
      const grant = t.setup.budget_usd ?? 0;
      return enter({ ...t, budget_usd: spentUsd(t) + grant }, currentStep(t), words);
    }
    case 'stop':
      return { ...t, todo: { do: 'end', reason: `the person stopped it (${e.vcr_id})` } };
  }
}
