/**
 * Where a run goes next: to a step, to a person, or back to whoever has to act. Pure. `evolve` says after which event;
 * here is what holds for every such move.
 */
import type { AskReason } from '../../formats/events.ts';
import type { AgentState, RunState, Step } from '../../formats/state.ts';
import type { BackTo } from '../../formats/verdict.ts';
import { NEW_LAUNCH } from './initial-state.ts';
import { currentStep, firstTreeStep, stepAfter, stepOf, stepThatYields } from './pipeline.ts';

/** Where no agent is wanted: over, ready, or about to ask. */
export const rest = (s: RunState, phase: string): RunState => ({
  ...s,
  phase,
  waiting: null,
  pending_crp: null,
  todo: null,
});

/** Where work that was sent back starts again. */
export const reworkStep = (s: RunState, name: string | undefined): Step =>
  name === undefined ? firstTreeStep(s.setup) : stepOf(s.setup, name);

/** Makes the next launch due. Counters that belong to a step or a phase start at zero when it changes. */
export function enter(s: RunState, step: Step, problem: string | null): RunState {
  return {
    ...rest(s, step.phase),
    ...NEW_LAUNCH,
    step: step.name,
    launch: s.launch + 1,
    problem,
    retries: step.name === s.step ? s.retries : 0,
    consultations: step.phase === stepOf(s.setup, s.step ?? step.name).phase ? s.consultations : 0,
  };
}

export const noted = (s: RunState, result: string, timestamp: string): RunState => ({
  ...s,
  history: [...s.history, { phase: s.step ? currentStep(s).phase : s.phase, result, timestamp }],
});

export const agent = (s: RunState, role: string, change: Partial<AgentState>): RunState => ({
  ...s,
  agents: { ...s.agents, [role]: { ...(s.agents[role] ?? { status: 'pending' }), ...change } },
});

/** Remembers why a step failed; null: it did not. */
export function failedWith(s: RunState, step: string, cause: string | null): RunState {
  const { [step]: _, ...others } = s.causes;
  return { ...s, causes: cause === null ? others : { ...others, [step]: cause } };
}

/** The same failure twice in a row is for a person. */
export const isAgain = (s: RunState, step: string, cause: string | null): boolean =>
  cause !== null && s.causes[step] === cause;

export const toPerson = (s: RunState, why: AskReason, message: string): RunState => ({
  ...s,
  problem: message,
  todo: { do: 'ask', why, message },
});

/** A pipeline without a verdict ends with a question: only a person can say that the result is good. */
export const unjudged = (s: RunState): RunState =>
  toPerson(s, 'unproven', `No step of the pipeline ${s.setup.pipeline_name} gives a verdict on the result.`);

/** The step after this one. */
export const goOn = (s: RunState, step: string): RunState => {
  const next = stepAfter(s.setup, step);
  return next ? enter(s, next, null) : unjudged(s);
};

const ASKED: Record<BackTo, AskReason> = {
  person: 'verdict',
  setup: 'setup',
  tree: 'repeated',
  tests: 'tests',
};

/** Bounded: tests go back at most `retry.attempts` times a build, a tree within the iterations, the rest to a person. */
export function sendBack(
  s: RunState,
  to: BackTo,
  again: boolean,
  message: string,
  from_step?: string,
): RunState {
  const tests = stepThatYields(s.setup, 'tests');
  if (!again && to === 'tests' && tests && s.sent_back < s.setup.retry.attempts)
    return enter({ ...s, sent_back: s.sent_back + 1 }, tests, message);
  if (!again && to === 'tree')
    return { ...s, todo: { do: 'iterate', reason: message, ...(from_step !== undefined && { from_step }) } };
  return toPerson(s, ASKED[to], message);
}
