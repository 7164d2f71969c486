/**
 * The state updates that `evolve` is built from: entering a step, becoming idle, going back to an earlier step, asking
 * the user. `evolve` decides when to apply them; this module holds the rules that every update follows.
 */

import type { EventOf } from '../../../formats/events/events.ts';
import type { AskReason } from '../../../formats/question-reasons-and-effects.ts';
import type { AgentState, RunState, Step } from '../../../formats/state.ts';
import type { BackTo } from '../../../formats/verdict.ts';
import {
  currentStep,
  firstTreeStep,
  isAgentStep,
  stepOf,
  stepThatYields,
} from '../pipeline/look-up-steps.ts';
import { NEW_LAUNCH } from './initial-state.ts';

/** Nothing is known about a new tree: tests, exam and checks apply only to the tree on which they ran. */
export const UNPROVEN = { tests: null, exam: null, checks: null } as const;

/** Returns a state in which no agent should run: the run is over, ready to merge, or about to ask. */
export const idleState = (s: RunState, phase: string): RunState => ({
  ...s,
  phase,
  reason: null,
  waiting: null,
  pending_crp: null,
  todo: null,
});

/** Returns the step at which rework starts. */
export const reworkStep = (s: RunState, name: string | undefined): Step =>
  name === undefined ? firstTreeStep(s.setup) : stepOf(s.setup, name);

/** Schedules the next launch. Resets the step or phase counters if the step or phase changes. */
export function enter(s: RunState, step: Step, problem: string | null): RunState {
  return {
    ...idleState(s, step.phase),
    ...NEW_LAUNCH,
    step: step.name,
    launch: s.launch + 1,
    problem,
    rerun: isAgentStep(step) ? null : s.rerun,
    retries: step.name === s.step ? s.retries : 0,
    consultations: step.phase === stepOf(s.setup, s.step ?? step.name).phase ? s.consultations : 0,
  };
}

export const withHistory = (s: RunState, result: string, timestamp: string): RunState => ({
  ...s,
  history: [...s.history, { phase: s.step ? currentStep(s).phase : s.phase, result, timestamp }],
});

export const agent = (s: RunState, role: string, change: Partial<AgentState>): RunState => ({
  ...s,
  agents: { ...s.agents, [role]: { ...(s.agents[role] ?? { status: 'pending' }), ...change } },
});

/** Records why a step failed; null means that it did not fail. */
export function failedWith(s: RunState, step: string, cause: string | null): RunState {
  const { [step]: _, ...others } = s.causes;
  return { ...s, causes: cause === null ? others : { ...others, [step]: cause } };
}

/** Whether the same failure occurred twice in a row. If so, the user is asked. */
export const isAgain = (s: RunState, step: string, cause: string | null): boolean =>
  cause !== null && s.causes[step] === cause;

/** Whether the set-up command itself failed: the user must fix it. A set-up that was killed is restarted. */
export const hasSetupFailed = (s: RunState): boolean =>
  currentStep(s).yields === 'setup' && s.ended?.outcome === 'error';

export const toPerson = (s: RunState, why: AskReason, message: string): RunState => ({
  ...s,
  problem: message,
  todo: { kind: 'ask', why, message },
});

/** A pipeline without a verdict ends with a question: only the user can decide whether the result is good. */
export const unjudged = (s: RunState): RunState =>
  toPerson(s, 'unproven', `No step in the pipeline ${s.setup.pipeline_name} gives a verdict on the result.`);

const ASK_REASONS: Record<BackTo, AskReason> = {
  person: 'verdict',
  setup: 'setup',
  tree: 'repeated',
  tests: 'tests',
};

/**
 * Limits rework: tests are sent back at most `retry.attempts` times per build, and a tree as long as iterations are
 * left. Everything else goes to the user.
 */
export function sendBack(s: RunState, to: BackTo, message: string, from_step?: string): RunState {
  const tests = stepThatYields(s.setup, 'tests');
  if (to === 'tests' && tests && s.sent_back < s.setup.retry.attempts)
    return enter({ ...s, sent_back: s.sent_back + 1 }, tests, message);
  if (to === 'tree')
    return {
      ...s,
      todo: { kind: 'iterate', reason: message, ...(from_step !== undefined && { from_step }) },
    };
  return askInstead(s, to, message);
}

/** Asks the user about work that would otherwise be sent back. */
export const askInstead = (s: RunState, to: BackTo, message: string): RunState =>
  toPerson(s, ASK_REASONS[to], message);

/** Returns the text to store in `blocked` while an error delays the run. */
export const delayText = ({ file, why, file_system, free_bytes, message }: EventOf<'run.delayed'>): string =>
  message === undefined
    ? `${file} cannot be used: ${why}${
        file_system === null ? '' : ` (${file_system}, ${free_bytes} bytes free)`
      }. The run continues once the disk works again.`
    : `Dure keeps retrying after an error, and interrupts the run if the error lasts longer than five minutes: ${message}`;
