/**
 * Returns a run's state after an event. It is pure, so folding events.log with `evolve` rebuilds `state.json`. Only
 * this module and next-step.ts change the state.
 */
import type { EventOf, RunEvent } from '../../formats/events.ts';
import type { RunState } from '../../formats/state.ts';
import { added, spentUsd } from '../usage-tracker.ts';
import { withTrueStatus } from './agent-status.ts';
import { causeOf, causeOfTests, causeOfVerdict } from './failure-cause.ts';
import { initialState } from './initial-state.ts';
import {
  agent,
  enter,
  enterNextStep,
  failedWith,
  isAgain,
  rest,
  reworkStep,
  sendBack,
  toPerson,
  withHistory,
} from './next-step.ts';
import { MODE } from './own-steps.ts';
import { currentStep, firstTreeStep, isAgentStep, stepOf, stepThatYields, timeoutOf } from './pipeline.ts';

export { isOver, isWorkedOn } from './phase.ts';

/** Folds a whole log. The first event must be `run.started`. */
export function fold(events: readonly RunEvent[]): RunState {
  const [first, ...rest] = events;
  if (first?.type !== 'run.started') throw new RangeError('the log does not begin with run.started');
  return rest.reduce(evolve, initialState(first));
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
      return enterNextStep(failedWith(s, currentStep(s).name, null), currentStep(s).name);
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
        withHistory(agent(passedOver(s, e), e.agent, { status: 'failed' }), `failed (${e.kind})`, e.at),
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
    case 'agent.delayed':
      return { ...s, delayed: e.reason };
    case 'agent.continued':
      return { ...s, delayed: null };
    case 'agent.exited':
      return exited(s, e);
    case 'tests.executed':
      return executed(s, e);
    case 'checks.executed':
      return checked(s, e);
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
          mode: MODE.build,
          minor_fixes: 0,
          sent_back: 0,
          retries: 0,
          mrp: null,
          accepted: false,
          todo: null,
        },
        reworkStep(s, e.from_step),
        // If there is no verdict, the reason is the only explanation of the problem.
        s.verdict === null ? e.reason : null,
      );
    case 'iteration.exhausted':
      return { ...s, todo: { do: 'ask', why: 'exhausted', message: e.reason } };
    case 'mrp.created':
      return {
        ...rest(s, 'ready_for_merge'),
        mrp: { commit: e.commit, tree: e.tree, ...(e.files && { files: e.files }) },
        reason: null,
      };
    case 'mrp.rejected':
      return {
        ...rest(s, firstTreeStep(s.setup).phase),
        feedbacks: e.feedback,
        max_iterations: Math.max(s.max_iterations, s.iteration + 1),
        todo: { do: 'iterate', reason: 'changes were asked for' },
      };
    case 'approval.refused':
      return done({ ...s, reason: e.reason }, 'approve', e.asked_at);
    case 'run.completed':
      return { ...withHistory(rest(s, 'completed'), 'completed', e.at), reason: null };
    case 'run.failed':
      return { ...withHistory(rest(s, 'failed'), 'failed', e.at), reason: e.reason };
    case 'run.stopped':
      return { ...withHistory(rest(s, 'stopped'), 'stopped', e.at), reason: e.reason };
  }
}

const done = (s: RunState, request: string, askedAt: string): RunState => ({
  ...s,
  wishes_done: { ...s.wishes_done, [request]: askedAt },
});

function completed(s: RunState, e: EventOf<'agent.completed'>): RunState {
  const step = stepOf(s.setup, e.step);
  const moved = withHistory(
    agent(failedWith({ ...s, sealed: sealedWith(s, e) }, e.step, null), e.agent, {
      status: 'completed',
      completed_at: e.at,
    }),
    'completed',
    e.at,
  );
  if (step.yields === 'verdict') return moved;
  const known =
    step.yields === 'tree' ? { ...moved, tests: null, checks: null, verdict: null, sent_back: 0 } : moved;
  return enterNextStep(known, e.step);
}

/** A newly sealed tree replaces the trees that later steps built on the previous one. */
function sealedWith(s: RunState, { step, commit, tree }: EventOf<'agent.completed'>): RunState['sealed'] {
  if (!commit || !tree) return s.sealed;
  const { pipeline } = s.setup;
  const place = pipeline.findIndex(one => one.name === step);
  const stale = pipeline[place]!.yields === 'tree' ? pipeline.slice(place) : [];
  const kept = Object.entries(s.sealed).filter(
    ([name]) => !stale.some(one => one.name === name && one.yields === 'tree'),
  );
  return { ...Object.fromEntries(kept), [step]: { commit, tree } };
}

const passedOver = (s: RunState, { passed_over = [] }: EventOf<'agent.failed'>): RunState => ({
  ...s,
  known: { ...s.known, ...Object.fromEntries(passed_over.map(({ file, hash }) => [file, hash])) },
});

/**
 * A recoverable failure restarts the same step with the problem in its prompt. Other failures, and the same problem
 * twice in a row, become a question to the user.
 */
function fail(s: RunState, kind: string, message: string): RunState {
  const { attempts, kinds } = s.setup.retry;
  const step = currentStep(s);
  const cause = causeOf(`${kind} ${message}`);
  const known = failedWith(s, step.name, cause);
  return kinds.includes(kind) && s.retries < attempts && !isAgain(s, step.name, cause)
    ? enter({ ...known, retries: s.retries + 1 }, step, message)
    : toPerson(
        known,
        kind === 'timeout' ? 'timeout' : step.yields === 'setup' ? 'setup' : 'failure',
        message,
      );
}

function timedOut(s: RunState, e: EventOf<'agent.timeout'>): RunState {
  const limit_ms = timeoutOf(s.setup, stepOf(s.setup, e.step)) + s.extra_ms;
  const message = `took longer than the ${Math.round(limit_ms / 1000)} s it may take`;
  if (e.action === 'warn') return agent({ ...s, timeout_noticed: true }, e.agent, {});
  const marked = withHistory(agent(s, e.agent, { status: 'timeout' }), 'timeout', e.at);
  return e.action === 'retry' ? fail(marked, 'timeout', message) : toPerson(marked, 'timeout', message);
}

function exited(s: RunState, e: EventOf<'agent.exited'>): RunState {
  const { outcome, kind, message, retry_at, session, asks, without } = e;
  const counted: RunState = {
    ...s,
    ...(without && { setup: { ...s.setup, prepare: without.setup, failed_builds: without.builds } }),
    open: s.open.filter(o => o.launch !== e.launch),
    usage: isAgentStep(stepOf(s.setup, e.step))
      ? { ...s.usage, [e.agent]: added(s.usage[e.agent], e.usage) }
      : s.usage,
  };
  return e.launch === s.launch
    ? { ...counted, delayed: null, ended: { outcome, kind, message, retry_at, session, asks } }
    : counted;
}

/** A result that cannot be judged skips the Gatekeeper and goes to whoever can fix the problem. */
function executed(s: RunState, e: EventOf<'tests.executed'>): RunState {
  const counts = e.counts ?? { total: 0, passed: 0, failed: 0, skipped: 0 };
  const { machine, exit_code, coverage, changed_coverage, tree, tests_tree, back_to } = e;
  const { sandbox, no_sandbox_because, unmeasured } = e;
  const whereKnown = {
    ...(changed_coverage !== undefined && { changed_coverage }),
    ...(unmeasured && { unmeasured }),
    ...(sandbox && { sandbox }),
    ...(no_sandbox_because && { no_sandbox_because }),
  };
  const cause = causeOfTests(e);
  const known = failedWith(
    withHistory(
      { ...s, tests: { machine, exit_code, ...counts, coverage, ...whereKnown, tree, tests_tree } },
      `tests: ${machine}`,
      e.at,
    ),
    e.step,
    cause,
  );
  if (back_to === undefined) {
    const ran = agent(known, e.agent, { status: 'completed', completed_at: e.at });
    return enterNextStep(ran, e.step);
  }
  const message = `Dure could not run the tests: ${e.problem ?? 'no test ran'}. See verifier/test-log.txt.`;
  return sendBack(known, back_to, isAgain(s, e.step, cause), message);
}

/** The run continues whatever the result is: later agents read it, and it limits the verdict. */
function checked(s: RunState, e: EventOf<'checks.executed'>): RunState {
  const { tree, checks } = e;
  const regressed = checks.filter(check => check.status === 'regression');
  const known = withHistory(
    { ...s, checks: { tree, checks } },
    `checks: ${regressed.length} of ${checks.length} regressed`,
    e.at,
  );
  return enterNextStep(known, e.step);
}

function judged(s: RunState, e: EventOf<'verdict.given'>): RunState {
  const { verdict, claimed, lowered, reason, issues } = e;
  const known = withHistory(
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
    case 'rework':
      return rework(known, e, why);
    case 'ask':
      return toPerson(known, stepThatYields(s.setup, 'proof') ? 'verdict' : 'unproven', why);
    case 'fail':
      return { ...known, todo: { do: 'end', reason: why } };
  }
}

const VERDICT = 'verdict';

/** Sends any verdict other than PASS to whoever has to act on it. */
function rework(s: RunState, e: EventOf<'verdict.given'>, why: string): RunState {
  const { next, issues, back_to = 'tree' } = e;
  const cause = causeOfVerdict(s, e.lowered);
  const again = isAgain(s, VERDICT, cause);
  const known = failedWith(s, VERDICT, cause);
  if (again || back_to !== 'tree')
    return sendBack(known, back_to, again, [`${e.verdict}: ${why}`, ...issues].join('\n- '));
  if (next === 'rework') return sendBack(known, 'tree', false, why, e.from_step);
  return s.minor_fixes < s.setup.max_minor_fixes
    ? enter(
        { ...known, mode: MODE.fix, minor_fixes: s.minor_fixes + 1, sent_back: 0 },
        reworkStep(s, e.from_step),
        null,
      )
    : sendBack(known, 'tree', false, `${s.minor_fixes} minor fixes were not enough: ${why}`, e.from_step);
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
  const t: RunState = {
    ...rest(s, s.waiting?.phase ?? s.phase),
    decisions: [...s.decisions, e.vcr_id],
    unattended: e.unattended && s.waiting ? [...s.unattended, s.waiting.why] : s.unattended,
  };
  const guidance = e.rationale && !e.unattended && `The person says: ${e.rationale}`;
  const words = [s.problem, guidance].filter(Boolean).join('\n') || null;
  switch (e.effect) {
    case 'resume': {
      const next = enter(t, currentStep(t), t.problem);
      return { ...next, resume: session ? { session, vcr: e.vcr_id } : null };
    }
    case 'retry':
      return enter({ ...t, retries: 0 }, currentStep(t), words);
    case 'tests':
      return enter(
        { ...t, retries: 0, sent_back: 0 },
        stepThatYields(t.setup, 'tests') ?? currentStep(t),
        words,
      );
    case 'setup':
      return triedAgain(t, e);
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
      const grant = e.amount_usd ?? t.setup.budget_usd ?? 0;
      return enter({ ...t, budget_usd: spentUsd(t) + grant }, currentStep(t), words);
    }
    case 'stop':
      return { ...t, todo: { do: 'end', reason: `the person stopped it (${e.vcr_id})` } };
  }
}

/** Retries with the current set-up command at the step that failed: in the worktree, or before the tests. */
function triedAgain(s: RunState, { prepare, problem }: EventOf<'vcr.created'>): RunState {
  if (problem !== undefined) return toPerson(s, 'setup', problem);
  const step = currentStep(s);
  const setup = prepare === undefined ? s.setup : { ...s.setup, prepare, failed_builds: [] };
  const place = step.yields === 'setup' ? step : (stepThatYields(setup, 'proof') ?? step);
  return enter({ ...s, setup, retries: 0 }, place, null);
}
