/**
 * Returns a run's state after an event. It is pure, so folding events.log with `evolve` rebuilds `state.json`. Only
 * this module and state-updates.ts change the state.
 */

import type { EventOf, RunEvent } from '../../formats/events/events.ts';
import type { RunState } from '../../formats/state.ts';
import { addUsage } from '../usage-tracker.ts';
import { requestsDone } from './decisions-recorded-by-events.ts';
import { causeOf } from './normalize-failure.ts';
import { MODE } from './pipeline/automated-steps.ts';
import { enterNextStep } from './pipeline/enter-next-step.ts';
import { currentStep, firstTreeStep, isAgentStep, stepOf, timeoutOf } from './pipeline/look-up-steps.ts';
import { examExtended } from './pipeline/rerun-automated-steps.ts';
import { workedUntil } from './run-limits.ts';
import { withCorrectAgentStatus } from './state/correct-agent-status.ts';
import { afterAnswer, afterQuestion } from './state/evolve-question.ts';
import { rebased } from './state/evolve-rebase.ts';
import { checked, examined, executed, judged } from './state/evolve-results.ts';
import { initialState } from './state/initial-state.ts';
import {
  agent,
  delayText,
  enter,
  failedWith,
  hasSetupFailed,
  idleState,
  isAgain,
  reworkStep,
  toPerson,
  UNPROVEN,
  withHistory,
} from './state/state-updates.ts';
import { interrupted } from './state/state-without-driver.ts';

/** Folds a whole log. The first event must be `run.started`. */
export function fold(events: readonly RunEvent[]): RunState {
  const state = events.reduce(advance, null as RunState | null);
  if (state === null) throw new RangeError('the log is empty');
  return state;
}

/** Returns the state after an event. `before` is null for the first event of a run. */
export function advance(before: RunState | null, event: RunEvent): RunState {
  if (before) return evolve(before, event);
  if (event.type !== 'run.started') throw new RangeError('the log does not begin with run.started');
  return initialState(event);
}

export const evolve = (before: RunState, e: RunEvent): RunState => withCorrectAgentStatus(changed(before, e));

function changed(before: RunState, e: RunEvent): RunState {
  const isLate = e.type === 'run.interrupted' && !e.driven;
  const worked_ms = isLate ? before.worked_ms : workedUntil(before, e.at);
  const s: RunState = {
    ...before,
    seq: before.seq + 1,
    updated_at: e.at,
    worked_ms,
    ...withNonce(before, e),
    requests_done: requestsDone(before.requests_done, e),
  };
  switch (e.type) {
    case 'run.started':
      throw new RangeError('the log contains run.started more than once');
    case 'run.interrupted':
      // If an error delayed the run, the reason for the interruption replaces the text about retries.
      return { ...interrupted(s), ...(s.blocked && { blocked: e.reason }) };
    case 'run.resumed':
      return {
        ...s,
        ...withPause(before, e),
        ...withoutWait(before, e),
        phase: e.phase,
        interrupted_from: null,
      };
    case 'run.delayed':
      return { ...s, blocked: delayText(e) };
    case 'run.continued':
      return { ...s, blocked: false };
    case 'workspace.prepared':
      return enterNextStep(failedWith(s, currentStep(s).name, null), currentStep(s).name);
    case 'agent.started':
      return {
        ...s,
        since: e.at,
        open: [
          ...s.open,
          { launch: e.launch, role: e.agent, step: e.step, ...(e.runner && { runner: e.runner }) },
        ],
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
      return { ...s, extra_ms: s.extra_ms + e.ms, timeout_noticed: false };
    case 'agent.retried':
      // A launch that has not started is not replaced by another, because its process may be starting now.
      return s.since === null
        ? { ...s, retries: 0, not_before: null }
        : enter({ ...s, retries: 0 }, currentStep(s), s.problem);
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
    case 'exam.executed':
      return examined(s, e);
    case 'checks.executed':
      return checked(s, e);
    case 'verdict.given':
      return judged(s, e);
    case 'crp.created':
      return afterQuestion(s, e);
    case 'vcr.created':
      return afterAnswer(s, e);
    case 'iteration.started':
      return enter(
        {
          ...s,
          iteration: e.iteration,
          mode: MODE.build,
          minor_fixes: 0,
          sent_back: 0,
          questioned: false,
          retries: 0,
          mrp: null,
          accepted: false,
          todo: null,
          conflict: s.conflict && { ...s.conflict, in_worktree: true },
        },
        reworkStep(s, e.from_step),
        // Without a verdict or a new conflict, only the reason tells the agent what the problem is.
        s.verdict === null && s.conflict?.in_worktree !== false ? e.reason : null,
      );
    case 'iteration.exhausted':
      return { ...s, todo: { kind: 'ask', why: 'exhausted', message: e.reason } };
    case 'mrp.created':
      return {
        ...idleState(s, 'ready_for_merge'),
        mrp: { commit: e.commit, tree: e.tree, files: e.files, pack: e.pack },
        rerun: null,
      };
    case 'mrp.rejected':
      return {
        ...idleState(s, firstTreeStep(s.setup).phase),
        feedbacks: e.feedback,
        ...(e.criteria && { feedback_criteria: [...(s.feedback_criteria ?? []), ...e.criteria] }),
        max_iterations: Math.max(s.max_iterations, s.iteration + 1),
        todo: { kind: 'iterate', reason: 'changes were requested' },
      };
    case 'approval.refused':
      return { ...s, reason: e.reason };
    case 'run.rebased':
      return rebased(s, e);
    case 'rebase.refused':
      return s;
    case 'exam.extended':
      return examExtended(s, e);
    case 'decision.refused':
      return { ...s, refused: { ...s.refused, [e.file]: e.hash } };
    case 'key.replaced':
      return packedAgain(s);
    case 'run.completed':
      return withHistory(idleState(s, 'completed'), 'completed', e.at);
    case 'run.failed':
      return { ...withHistory(idleState(s, 'failed'), 'failed', e.at), reason: e.reason };
    case 'run.stopped':
      return { ...withHistory(idleState(s, 'stopped'), 'stopped', e.at), reason: e.reason };
  }
}

/**
 * Time during which nothing drove the run does not count towards the time limit of a launch. If the clock was set back,
 * the launch counts as started now, with the time that remained.
 */
function withPause({ since, updated_at, paused_ms = 0 }: RunState, { at }: RunEvent) {
  if (since === null) return null;
  const paused = paused_ms + Date.parse(at) - Date.parse(updated_at);
  return at < since
    ? { since: at, paused_ms: paused + Date.parse(since) - Date.parse(at) }
    : { paused_ms: paused };
}

/** Ends a wait if the clock was set back: how much of it remains is then unknown, and it could last for years. */
const withoutWait = ({ updated_at }: RunState, { at }: RunEvent) => at < updated_at && { not_before: null };

/** Schedules a new pack for a run that is ready to merge, so that the pack states what could not be checked. */
const packedAgain = (s: RunState): RunState =>
  (s.interrupted_from ?? s.phase) === 'ready_for_merge' ? { ...s, todo: { kind: 'pack' } } : s;

/** Remembers the nonce of a decision, so that the decision is recorded only once. */
const withNonce = ({ nonces = [] }: RunState, e: RunEvent) =>
  'by' in e && e.by && { nonces: [...nonces, e.by.nonce] };

function completed(s: RunState, e: EventOf<'agent.completed'>): RunState {
  const step = stepOf(s.setup, e.step);
  const sealed = { ...s, ...(e.criteria && { criteria: e.criteria }), sealed: sealedWith(s, e) };
  const ended = agent(failedWith(sealed, e.step, null), e.agent, {
    status: 'completed',
    completed_at: e.at,
  });
  const moved = withHistory(ended, 'completed', e.at);
  if (step.yields === 'verdict') return moved;
  if (step.yields !== 'tree') return enterNextStep(moved, e.step);
  const unproven = { ...moved, ...UNPROVEN, verdict: null, conflict: null, sent_back: 0, questioned: false };
  return enterNextStep(unproven, e.step);
}

/** A newly sealed tree replaces the previous one and the trees that later steps built on it. */
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
 * A recoverable failure restarts the same step with the problem in its prompt. Any other failure, a failed set-up
 * command, or the same problem twice in a row becomes a question to the user.
 */
function fail(s: RunState, kind: string, message: string): RunState {
  const { attempts, kinds } = s.setup.retry;
  const step = currentStep(s);
  const cause = causeOf(`${kind} ${message}`);
  const known = failedWith(s, step.name, cause);
  return kinds.includes(kind) && !hasSetupFailed(s) && s.retries < attempts && !isAgain(s, step.name, cause)
    ? enter({ ...known, retries: s.retries + 1 }, step, message)
    : toPerson(
        known,
        kind === 'timeout' ? 'timeout' : step.yields === 'setup' ? 'setup' : 'failure',
        message,
      );
}

function timedOut(s: RunState, e: EventOf<'agent.timeout'>): RunState {
  const limit_ms = timeoutOf(s.setup, stepOf(s.setup, e.step)) + s.extra_ms;
  const message = `took longer than its limit of ${Math.round(limit_ms / 1000)} s`;
  if (e.action === 'warn') return agent({ ...s, timeout_noticed: true }, e.agent, {});
  const marked = withHistory(agent(s, e.agent, { status: 'timeout' }), 'timeout', e.at);
  return e.action === 'retry' ? fail(marked, 'timeout', message) : toPerson(marked, 'timeout', message);
}

/** Records, for the rest of the run, what a set-up skipped or could not install. */
const installed = ({ without, missing }: EventOf<'agent.exited'>): Partial<RunState['setup']> => ({
  ...(without && { prepare: without.setup, failed_builds: without.builds }),
  ...(missing && { missing_requirements: missing }),
});

function exited(s: RunState, e: EventOf<'agent.exited'>): RunState {
  const { outcome, kind, message, retry_at, session, asks } = e;
  const counted: RunState = {
    ...s,
    setup: { ...s.setup, ...installed(e) },
    open: s.open.filter(o => o.launch !== e.launch),
    usage: isAgentStep(stepOf(s.setup, e.step))
      ? { ...s.usage, [e.agent]: addUsage(s.usage[e.agent], e.usage) }
      : s.usage,
  };
  return e.launch === s.launch
    ? { ...counted, delayed: null, ended: { outcome, kind, message, retry_at, session, asks } }
    : counted;
}
