/**
 * Decides the next event. A pure function: it takes the state and a complete observation, and returns one transition.
 * The order of the checks is the order of precedence: time without a driver, folders that were replaced, the
 * end of an interruption, launches that ended or started, a decision without a proof, a stop, what Dure itself has to do
 * next (`todo`), decisions on a pack, answers. Then, for the current launch: requests, a question, its result or
 * failure, a limit of the run, its time limit, a delay.
 */

import type { RunEvent } from '../../formats/events/events.ts';
import type { AskReason } from '../../formats/question-reasons-and-effects.ts';
import type { ErrorKind } from '../../formats/schema/common-fields.ts';
import type { RunState } from '../../formats/state.ts';
import { isCostComplete, spentUsd } from '../usage-tracker.ts';
import { feedbackCriteria } from './criteria/briefing-and-feedback-criteria.ts';
import { decideOnStepResult } from './decide-on-step-result.ts';
import type { Observation } from './observation.ts';
import { currentStep, isAgentStep } from './pipeline/look-up-steps.ts';
import { canExtendExam } from './pipeline/rerun-automated-steps.ts';
import { effectOfAnswer, mayTakeRecommendation } from './questions/dure-questions-and-answers.ts';
import { questionsLeft } from './questions/questions-left.ts';
import { deadlineOf, limitQuestion, silenceQuestion } from './run-limits.ts';
import { isOver, isWorkedOn } from './state/phase.ts';
import { hasSetupFailed } from './state/state-updates.ts';
import type { Effect, Transition } from './transition.ts';
import { answeredBy, byOf, failed, ofLaunch } from './transition.ts';

export function decide(s: RunState, seen: Observation): Transition | null {
  const { at } = seen;
  const [exit] = seen.exits;
  // Checked first, so that the time until now counts neither as work nor towards a time limit.
  if (seen.undriven_since && isWorkedOn(s.phase))
    return {
      at: seen.undriven_since,
      type: 'run.interrupted',
      phase: s.phase,
      reason: 'no process drove the run for a while',
      driven: true,
    };
  if (seen.replaced.length > 0 && s.since !== null && !isOver(s) && isAgentStep(currentStep(s)))
    return failed(s, seen, 'validation', `folders of the run were replaced: ${seen.replaced.join(', ')}`);
  // The interruption lasts until the next event, so this event must come first.
  if (s.phase === 'interrupted') return resumption(s, at);
  if (exit) return exitEvent(s, seen);
  // Even if the run is over: an agent that started just before the end must be stopped and its cost recorded.
  if (s.since === null && seen.claim)
    return { at, type: 'agent.started', ...ofLaunch(s), iteration: s.iteration, ...seen.claim };
  if (isOver(s)) return null;
  if (seen.unproven) return { at, type: 'decision.refused', ...seen.unproven };
  const { stop } = seen.requests;
  if (stop) return { at, type: 'run.stopped', reason: stop.reason || 'stopped by a person', ...byOf(stop) };
  if (s.todo) return todoTransition(s, at);
  if (s.phase === 'ready_for_merge') return reviewTransition(s, seen);
  if (s.waiting) return answerTransition(s, seen);
  if (s.since === null)
    return (
      requestTransition(s, seen) ??
      questionTransition(s, seen) ??
      leftOverQuestion(s, seen) ??
      startTransition(s, seen)
    );
  return (
    requestTransition(s, seen) ??
    questionTransition(s, seen) ??
    outcomeTransition(s, seen) ??
    limitQuestion(s, seen) ??
    timeoutTransition(s, seen) ??
    delayEvent(s, seen)
  );
}

const resumption = (s: RunState, at: string): RunEvent => ({
  at,
  type: 'run.resumed',
  phase: s.interrupted_from ?? currentStep(s).phase,
});

function exitEvent(s: RunState, { at, exits }: Observation): RunEvent {
  const { launch, exit, lost } = exits[0]!;
  const of = s.open.find(o => o.launch === launch);
  return {
    at,
    type: 'agent.exited',
    agent: of?.role ?? currentStep(s).role,
    step: of?.step ?? currentStep(s).name,
    launch,
    outcome: lost ? 'lost' : exit.outcome,
    kind: exit.kind,
    message: exit.message,
    retry_at: exit.retry_at,
    session: exit.session,
    asks: exit.outcome === 'deferred',
    usage: exit.usage,
    ...(exit.without && { without: exit.without }),
    ...(exit.missing && { missing: exit.missing }),
  };
}

function todoTransition(s: RunState, at: string): Transition | null {
  const todo = s.todo!;
  switch (todo.kind) {
    case 'iterate':
      return iterate(s, todo, at);
    case 'ask':
      return { kind: 'ask', from: 'dure', why: todo.why as AskReason, message: todo.message };
    case 'pack':
      // The pack states the total cost, so every launch must have ended.
      return s.open.length === 0 ? { kind: 'pack', changed: [] } : null;
    case 'end':
      return { at, type: 'run.failed', reason: todo.reason };
    case 'stop':
      return { at, type: 'run.stopped', reason: todo.reason };
  }
}

type Todo<K> = Extract<NonNullable<RunState['todo']>, { kind: K }>;

function iterate(s: RunState, { reason, from_step }: Todo<'iterate'>, at: string): Transition {
  const { iteration } = s;
  if (iteration >= s.max_iterations) return { at, type: 'iteration.exhausted', iteration, reason };
  const from = { ...(from_step !== undefined && { from_step }) };
  const started = { at, type: 'iteration.started' as const, iteration: iteration + 1, reason, ...from };
  return s.conflict?.in_worktree === false ? { kind: 'write-conflict', iteration: started } : started;
}

/** A pack that was modified cannot be approved, but a person can still request changes. */
function reviewTransition(
  s: RunState,
  { at, requests: { approve, rebase, exam }, feedback, changedPack }: Observation,
): Transition | null {
  if (approve && changedPack.length === 0) return { kind: 'merge', request: approve };
  // Feedback comes before anything that leads to another pack, because a person wrote it about this one.
  if (feedback) {
    const summary = feedback.feedback.trim().split('\n')[0] || `${feedback.comments.length} comments`;
    return {
      at,
      type: 'mrp.rejected',
      feedback: s.feedbacks + 1,
      summary: summary.slice(0, 200),
      // Without a proof there is no text from which others could derive the criteria.
      ...(s.criteria && feedback.by && { criteria: feedbackCriteria(s.feedbacks + 1, feedback) }),
      ...byOf(feedback),
    };
  }
  if (rebase) return { kind: 'rebase', request: rebase };
  if (exam && canExtendExam(s)) {
    const { asked_at, budget_s } = exam;
    return { at, type: 'exam.extended', budget_s, asked_at, ...byOf(exam) };
  }
  return changedPack.length > 0 ? { kind: 'pack', changed: changedPack } : null;
}

function answerTransition(s: RunState, { at, answers }: Observation): Transition | null {
  const { crp, why, launch } = s.waiting!;
  // The agent that asked may still write files, perhaps a second question: wait until it ends or its grace
  // period expires.
  if (why === 'question' && s.open.some(o => o.launch === launch)) return null;
  const vcr = answers.find(answer => answer.crp_id === crp && effectOfAnswer(s, answer) !== null);
  if (!vcr)
    return s.setup.take_recommendations && mayTakeRecommendation(s) ? { kind: 'recommend', crp } : null;
  return effectOfAnswer(s, vcr)?.effect === 'setup' ? { kind: 'set-up', vcr } : answeredBy(s, vcr, at);
}

function startTransition(s: RunState, seen: Observation): Transition | null {
  const limit = limitQuestion(s, seen);
  if (limit) return limit;
  const { budget_usd } = s;
  if (budget_usd === null || !isAgentStep(currentStep(s)) || s.open.length > 0) return null;
  // An unknown cost may exceed any budget. Some backends never report a cost, so a person is asked only once.
  const isUnknown = !isCostComplete(s) && s.unknown_cost_accepted !== true;
  return isUnknown || spentUsd(s) >= budget_usd ? overspent(s) : null;
}

function overspent(s: RunState): Effect {
  const unknown = Object.keys(s.usage).filter(role => !s.usage[role]!.complete);
  const spent = `$${spentUsd(s).toFixed(2)} of $${s.budget_usd?.toFixed(2)}.`;
  if (unknown.length === 0)
    return { kind: 'ask', from: 'dure', why: 'budget', message: `Spent so far: ${spent}` };
  return {
    kind: 'ask',
    from: 'dure',
    why: 'budget',
    message: `Spent so far: at least ${spent} The cost of some launches (${unknown.join(', ')}) is unknown. If you raise the budget, the run continues and does not ask about unknown costs again; known costs still count.`,
    unknown_cost: true,
  };
}

/**
 * A request about an agent that has ended in the meantime must not apply to the next one. An agent that is waiting to
 * start can also be restarted, which ends the wait, or given more time.
 */
function requestTransition(s: RunState, { at, requests: { retry, extend } }: Observation): Transition | null {
  if (retry?.launch === s.launch)
    return { at, type: 'agent.retried', ...ofLaunch(s), asked_at: retry.asked_at, ...byOf(retry) };
  if (extend?.launch === s.launch) {
    const { ms, asked_at } = extend;
    return { at, type: 'agent.extended', ...ofLaunch(s), ms, asked_at, ...byOf(extend) };
  }
  return null;
}

function questionTransition(s: RunState, { questions: [fresh] }: Observation): Transition | null {
  const step = currentStep(s);
  // An agent that asks while the tests are running gets its answer when they finish.
  if (!isAgentStep(step) || questionsLeft(step, s) === 0) return null;
  if (fresh) return { kind: 'ask', from: 'file', ...fresh };
  return s.ended?.asks ? { kind: 'ask', from: 'consult' } : null;
}

/** Tells the agent why its questions cannot be shown to the user; null if they can. */
function unaskable(s: RunState, { questions, badQuestion }: Observation): string | null {
  if (!isAgentStep(currentStep(s))) return null;
  if (questions.length > 0 || s.ended?.asks)
    return `no more questions are answered in this phase (limit ${s.consultations}): decide yourself and record the decision in your log`;
  return badQuestion && 'one of your questions cannot be read';
}

/** Tells the agent's next launch about a question that can no longer be asked, so that it does not fail that launch. */
function leftOverQuestion(s: RunState, seen: Observation): Transition | null {
  const problem = s.open.length === 0 ? unaskable(s, seen) : null;
  return problem === null ? null : failed(s, seen, 'validation', problem);
}

/** Milliseconds to wait after a rate limit without a reset time. */
const WITHOUT_RESET_MS = 60_000;
/** Milliseconds to wait before a launch that failed with a disk error is started again. */
const DISK_MS = 5000;
const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

function outcomeTransition(s: RunState, seen: Observation): Transition | null {
  const { at } = seen;
  if (seen.error !== null)
    return failed(s, seen, 'crash', `the agent gave up: ${seen.error.trim() || 'error.flag is empty'}`);
  const asked = unaskable(s, seen);
  const problem = asked ?? seen.outputs;
  if (seen.flag && problem === null) return decideOnStepResult(s, seen);
  // If the disk failed when the agent ended, the disk, not the agent, is to blame for invalid output.
  if (seen.flag && problem !== null && (seen.settled || s.ended) && s.ended?.outcome !== 'disk-full')
    return failed(s, seen, 'validation', problem);
  if (!s.ended) return null;
  const { outcome, kind, message, retry_at } = s.ended;
  switch (outcome) {
    case 'ok':
    case 'deferred':
      return problem === null
        ? decideOnStepResult(s, seen)
        : failed(s, seen, 'validation', asked ?? `it ended, but ${problem}`);
    case 'rate-limited':
      return {
        at,
        type: 'agent.waits',
        ...ofLaunch(s),
        until: retry_at && retry_at > at ? retry_at : later(at, WITHOUT_RESET_MS),
        message,
      };
    case 'disk-full':
      return { at, type: 'agent.waits', ...ofLaunch(s), until: later(at, DISK_MS), message };
    case 'silent':
      return silenceQuestion(s);
    case 'budget':
      return s.budget_usd === null ? failed(s, seen, 'resource', message) : overspent(s);
    default:
      return failed(
        s,
        seen,
        (kind as ErrorKind | null) ?? 'crash',
        hasSetupFailed(s) ? `workspace.setup (${s.setup.prepare}): ${message}` : message,
      );
  }
}

function delayEvent(s: RunState, { at, delay }: Observation): RunEvent | null {
  if (delay === (s.delayed ?? null) || s.ended) return null;
  return delay === null
    ? { at, type: 'agent.continued', ...ofLaunch(s) }
    : { at, type: 'agent.delayed', ...ofLaunch(s), reason: delay };
}

function timeoutTransition(s: RunState, { at }: Observation): Transition | null {
  const step = currentStep(s);
  if (s.timeout_noticed || Date.parse(at) <= deadlineOf(s)) return null;
  const after_ms = Date.parse(at) - Date.parse(s.since!);
  const action = isAgentStep(step) ? s.setup.timeout_action : 'retry';
  return { at, type: 'agent.timeout', ...ofLaunch(s), action, after_ms };
}
