/** Computes the state after a question to the user, and after its answer. Part of `evolve`. */

import type { EventOf } from '../../../formats/events/events.ts';
import type { RunState } from '../../../formats/state.ts';
import { spentUsd } from '../../usage-tracker.ts';
import { currentStep, stepThatYields } from '../pipeline/look-up-steps.ts';
import { raised } from '../run-limits.ts';
import { agent, enter, idleState, toPerson } from './state-updates.ts';

const STOPPED =
  'You were stopped because the run reached a limit. What you wrote is still there: continue with it.';

export function afterQuestion(s: RunState, e: EventOf<'crp.created'>): RunState {
  const own = e.why === 'question';
  const waits = own ? agent(s, e.agent, { status: 'waiting_human' }) : s;
  return {
    ...idleState(waits, 'waiting_human'),
    problem: e.limit && s.since !== null ? [s.problem, STOPPED].filter(Boolean).join('\n') : s.problem,
    pending_crp: e.crp_id,
    known: { ...s.known, [e.seen_as]: e.seen_hash ?? e.hash, [e.crp_id]: e.hash },
    asked: { ...s.asked, [e.crp_id]: e.hash },
    next_crp: Math.max(s.next_crp, Number(e.crp_id.slice('crp-'.length)) + 1),
    consultations: own ? s.consultations + 1 : s.consultations,
    waiting: {
      crp: e.crp_id,
      why: e.why,
      phase: currentStep(s).phase,
      session: own && s.ended?.asks ? s.ended.session : null,
      launch: s.launch,
      ...(e.limit && { limit: e.limit }),
      ...(e.unknown_cost && { unknown_cost: e.unknown_cost }),
    },
  };
}

export function afterAnswer(s: RunState, e: EventOf<'vcr.created'>): RunState {
  const session = s.waiting?.session ?? null;
  const t: RunState = {
    ...idleState(s, s.waiting?.phase ?? s.phase),
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
        todo: { kind: 'iterate', reason: e.rationale || 'a person granted one more iteration' },
      };
    case 'accept':
      return { ...t, accepted: true, todo: { kind: 'pack' } };
    case 'pack':
      return { ...t, todo: { kind: 'pack' } };
    case 'raise': {
      const next = enter(granted(t, s.waiting, e), currentStep(t), words);
      // If a session was about to be resumed, it still is.
      return { ...next, resume: t.since === null ? t.resume : null };
    }
    case 'stop':
      return { ...t, todo: { kind: 'stop', reason: `the person stopped it (${e.vcr_id})` } };
  }
}

/** Grants more of what the run has used up. */
function granted(s: RunState, waiting: RunState['waiting'], e: EventOf<'vcr.created'>): RunState {
  if (waiting?.limit) return { ...s, limits: raised(s, waiting.limit) };
  const amount = e.amount_usd ?? s.setup.budget_usd ?? 0;
  return {
    ...s,
    budget_usd: spentUsd(s) + amount,
    ...(waiting?.unknown_cost && { unknown_cost_accepted: true }),
  };
}

/** Retries with the current set-up command: repeats the set-up of the worktree if that failed, otherwise the proof. */
function triedAgain(s: RunState, { prepare, problem }: EventOf<'vcr.created'>): RunState {
  if (problem !== undefined) return toPerson(s, 'setup', problem);
  const step = currentStep(s);
  const setup =
    prepare === undefined ? s.setup : { ...s.setup, prepare, failed_builds: [], missing_requirements: [] };
  const place = step.yields === 'setup' ? step : (stepThatYields(setup, 'proof') ?? step);
  return enter({ ...s, setup, retries: 0 }, place, null);
}
