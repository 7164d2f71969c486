/** Creates the first state of a run. */
import type { EventOf } from '../../../formats/events/events.ts';
import type { AgentState, LaunchState, RunState } from '../../../formats/state.ts';
import { MODE } from '../pipeline/automated-steps.ts';
import { rolesOf } from '../pipeline/look-up-steps.ts';

/** Initial values of the launch fields, for every launch. */
export const NEW_LAUNCH: LaunchState = {
  since: null,
  ended: null,
  extra_ms: 0,
  paused_ms: undefined,
  timeout_noticed: false,
  not_before: null,
  delayed: null,
  problem: null,
  resume: null,
};

type Start = Pick<EventOf<'run.started'>, 'at' | 'run_id' | 'base' | 'setup' | 'key' | 'key_replaced'>;

export function initialState(e: Start): RunState {
  const [step] = e.setup.pipeline;
  return {
    run_id: e.run_id,
    phase: step!.phase,
    step: step!.name,
    mode: MODE.build,
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
    key: e.key,
    ...(e.key_replaced && { key_replaced: e.key_replaced }),
    launch: 1,
    ...NEW_LAUNCH,
    open: [],
    minor_fixes: 0,
    retries: 0,
    sent_back: 0,
    questioned: false,
    causes: {},
    unattended: [],
    consultations: 0,
    budget_usd: e.setup.budget_usd,
    limits: e.setup.limits ?? {},
    worked_ms: 0,
    known: {},
    next_crp: 1,
    waiting: null,
    todo: null,
    sealed: {},
    rerun: null,
    conflict: null,
    tests: null,
    exam: null,
    checks: null,
    verdict: null,
    accepted: false,
    mrp: null,
    decisions: [],
    feedbacks: 0,
    usage: {},
    requests_done: {},
    interrupted_from: null,
    reason: null,
  };
}
