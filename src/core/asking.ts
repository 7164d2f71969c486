/**
 * The questions that Dure itself asks, and what each answer leads to. Pure. One rule for all of them: words alone take
 * the recommended way, which the question names, and go to whoever that way starts. A question about money recommends
 * nothing: it takes an option or an amount, and words alone are no answer to it.
 */
import type { Crp, Vcr } from '../formats/consultation.ts';
import type { AnswerEffect, AskReason } from '../formats/events.ts';
import type { RunState } from '../formats/state.ts';
import { amountOf } from './answer.ts';
import { currentStep, stepBeforeProof, stepOf } from './pipeline.ts';

interface Option {
  readonly id: string;
  readonly label: string;
  readonly effect: AnswerEffect;
  readonly description?: string;
  readonly risk?: string;
  /** Whether it makes sense now. Default: always. */
  readonly fits?: (s: RunState) => boolean;
}

const isBuilt = (s: RunState): boolean => s.sealed[stepOf(s.setup, 'build').name] !== undefined;
const isAt = (s: RunState, name: string): boolean => currentStep(s).name === name;

const stop: Option = { id: 'stop', label: 'Stop the run', effect: 'stop' };
const retry: Option = { id: 'retry', label: 'Start it again', effect: 'retry' };
const tests: Option = {
  id: 'tests',
  label: 'The Verifier again: new tests',
  effect: 'tests',
  description: 'The code stays as it is. Your words go to the Verifier.',
  fits: s => isBuilt(s) && !isAt(s, stepBeforeProof(s.setup).name),
};
const again: Option = {
  id: 'again',
  label: 'One more iteration',
  effect: 'again',
  description: 'The Builder starts again. Your words go to the Builder.',
  risk: 'Costs another build',
};
const rebuild: Option = {
  ...again,
  id: 'rebuild',
  label: 'Build again',
  fits: s => isBuilt(s) && !isAt(s, stepOf(s.setup, 'build').name),
};
const setup: Option = {
  id: 'setup',
  label: 'Change the set-up and try again',
  effect: 'setup',
  description:
    'First change it: `dure config set workspace.setup "npm ci"`, or edit workspace.setup in .dure/config/global.json. Then choose this: the run takes the new value.',
};
const accept: Option = {
  id: 'accept',
  label: 'Accept the result as it is',
  effect: 'accept',
  risk: 'It is recorded as accepted without a pass, and the pack says so',
  fits: isBuilt,
};
const raise: Option = {
  id: 'raise',
  label: 'Grant the same budget once more',
  effect: 'raise',
  description: 'Or name an amount, such as 20: it grants $20 more (`dure answer --decision 20`).',
  risk: 'Costs money',
};

interface Asking {
  readonly options: readonly Option[];
  /** Id of the option that words alone, and --yes, take. Null: they take none. */
  readonly recommendation: string | null;
  readonly title: (s: RunState) => string;
}

const ASKED: Record<AskReason, Asking> = {
  failure: {
    options: [retry, tests, rebuild, accept, stop],
    recommendation: retry.id,
    title: s => `${whoNow(s)} failed and Dure does not go on by itself. What now?`,
  },
  timeout: {
    options: [retry, tests, rebuild, accept, stop],
    recommendation: retry.id,
    title: s => `${whoNow(s)} took longer than it may. What now?`,
  },
  setup: {
    options: [setup, rebuild, accept, stop],
    recommendation: setup.id,
    title: () => 'The set-up of the workspace failed. What now?',
  },
  tests: {
    options: [tests, rebuild, setup, accept, stop],
    recommendation: tests.id,
    title: s =>
      s.tests?.machine === 'could-not-run'
        ? 'The tests cannot be run. What now?'
        : 'The Verifier could not mend its tests. What now?',
  },
  repeated: {
    options: [rebuild, tests, setup, accept, stop],
    recommendation: rebuild.id,
    title: () => 'The result failed twice in a row for the same reason. What now?',
  },
  exhausted: {
    options: [again, tests, accept, stop],
    recommendation: again.id,
    title: s =>
      `${s.iteration === 1 ? 'The one iteration' : `All ${s.iteration} iterations`} did not pass. What now?`,
  },
  verdict: {
    options: [again, tests, accept, stop],
    recommendation: again.id,
    title: () => 'The Gatekeeper wants a person to decide. What now?',
  },
  budget: {
    options: [raise, stop],
    recommendation: null,
    title: s => `The budget of $${s.budget_usd?.toFixed(2)} is used up. What now?`,
  },
  pack: {
    options: [{ id: 'retry', label: 'Make it again', effect: 'pack' }, stop],
    recommendation: 'retry',
    title: () => 'The merge-readiness pack could not be made. What now?',
  },
};

const OWN = {
  setup: 'Preparing the worktree',
  proof: 'Running the tests',
  checks: "Running the project's own checks",
};
function whoNow(s: RunState): string {
  const step = currentStep(s);
  return step.kind === 'agent' ? `The ${step.role}` : OWN[step.kind];
}

const isAskReason = (why: string): why is AskReason => why in ASKED;

/** `context` is what happened, with the last lines of the log that shows the cause. */
export function questionOf(s: RunState, id: string, why: AskReason, context: string, at: string): Crp {
  const { options, recommendation, title } = ASKED[why];
  return {
    crp_id: id,
    created_at: at,
    created_by: 'dure',
    type: why,
    question: title(s),
    context,
    options: options.filter(({ fits }) => fits?.(s) ?? true).map(({ effect, fits, ...shown }) => shown),
    ...(recommendation !== null && { recommendation }),
    status: 'pending',
  };
}

export interface Ruling {
  readonly effect: AnswerEffect;
  readonly amount_usd?: number;
}

/**
 * What an answer to the open question means: by the id of an option that was offered, by an amount where money is asked
 * for, else by its words. Null when it is no answer to this question.
 */
export function rulingOf(s: RunState, answer: Pick<Vcr, 'decision' | 'amount_usd'>): Ruling | null {
  const why = s.waiting?.why ?? '';
  if (!isAskReason(why)) return { effect: 'resume' };
  const { options, recommendation } = ASKED[why];
  const offered = options.filter(({ fits }) => fits?.(s) ?? true);
  const named = (id: string | null) => offered.find(option => option.id === id);
  const wanted = named(answer.decision.trim().toLowerCase());
  const amount = answer.amount_usd ?? amountOf(answer.decision);
  if (options.includes(raise) && wanted !== stop && amount !== null)
    return { effect: 'raise', amount_usd: amount };
  const taken = wanted ?? named(recommendation);
  return taken ? { effect: taken.effect } : null;
}

/** `--yes` takes what is recommended, of each kind of Dure's own questions once a run: it cannot go on for ever. */
export const mayTakeRecommendation = (s: RunState): boolean =>
  s.waiting !== null && !s.unattended.includes(s.waiting.why);
